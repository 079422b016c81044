import Base

/// The bytes of an open file, for a thread that may wait for the disk.
final class FileReader: PlacedReading {
    private let descriptor: Int32

    /// Borrows the descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[filled...])
                guard let got = try? unsafe System.pread(descriptor, into: rest, at: offset &+ Int64(filled))
                else {
                    failed = true
                    return
                }
                if got == 0 { return }
                filled += got
            }
        }
        return failed ? nil : bytes
    }
}
