/// Reading for threads that have nothing else to do than to wait for the bytes.
extension ByteSource {
    /// The first bytes, fewer where there are no more; nil when they cannot be read, or not until the deadline. No
    /// other thread may read meanwhile.
    package func head(_ count: Int, until deadline: MonotonicTime) -> [UInt8]? {
        let wake = WakePoint()
        setWakePoint(wake)
        defer { setWakePoint(nil) }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, 64 << 10), alignment: 16)
        defer { unsafe scratch.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch unsafe read(at: Int64(bytes.count), into: scratch) {
            case .bytes(let count):
                unsafe bytes.append(contentsOf: scratch[..<count])
                // A server that drips is not waited for either.
                guard MonotonicTime.now < deadline else { return nil }
            case .wait: guard wake.wait(until: deadline) else { return nil }
            case .end: return bytes
            case .gone, .failed: return nil
            }
        }
        return Array(bytes.prefix(count))
    }

    /// All of it; nil as `head`, and when it is longer than `limit`.
    package func contents(atMost limit: Int, until deadline: MonotonicTime) -> [UInt8]? {
        guard let bytes = head(limit + 1, until: deadline), bytes.count <= limit else { return nil }
        return bytes
    }
}
