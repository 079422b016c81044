/// One contiguous range of a resource in memory: what is ahead of the reader and a little behind it.
///
/// A ring that starts small and doubles up to its limit, so that a short file costs what it weighs.
@safe final class MemoryWindow: RangeStore {
    var retainedBytes: Int
    private let limit: Int
    // Safe because this owner alone allocates and frees it.
    private var bytes = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start: Int64 = 0
    /// The offset after the last byte that was written.
    private(set) var end: Int64 = 0

    /// Creates an empty window of at most `limit` bytes.
    init(limit: Int, retainedBytes: Int) {
        self.limit = max(64 << 10, limit)
        self.retainedBytes = min(retainedBytes, self.limit / 2)
    }

    deinit { unsafe bytes.deallocate() }

    var resumeRoom: Int { limit / 4 }

    private var capacity: Int { unsafe bytes.count }

    var ranges: [Range<Int64>] { start < end ? [start..<end] : [] }

    func available(from offset: Int64) -> Int64 { offset >= start && offset < end ? end - offset : 0 }

    func room(at offset: Int64, reader: Int64) -> Int {
        offset == end ? limit - Int(end - keptStart(reader)) : limit
    }

    /// The first offset that must not be dropped for a reader at that place.
    private func keptStart(_ reader: Int64) -> Int64 {
        min(end, max(start, reader &- Int64(retainedBytes)))
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int64, reader: Int64) {
        if offset != end {
            start = offset
            end = offset
        }
        let needed = Int(end - start) + source.count
        if needed > capacity, capacity < limit { grow(to: needed) }
        if needed > capacity {
            // Frees a little more than needed, only to what the reader can do without.
            start = min(keptStart(reader), max(start, end + Int64(source.count - capacity)))
        }
        guard Int(end - start) + source.count <= capacity else { return }
        let at = Int(end % Int64(capacity))
        let first = min(source.count, capacity - at)
        unsafe bytes[at...].copyBytes(from: source[..<first])
        unsafe bytes.copyBytes(from: source[first...])
        end += Int64(source.count)
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= start, offset < end else { return 0 }
        let count = min(buffer.count, Int(end - offset))
        let at = Int(offset % Int64(capacity))
        let first = min(count, capacity - at)
        unsafe buffer.copyBytes(from: bytes[at..<(at + first)])
        unsafe buffer[first...].copyBytes(from: bytes[..<(count - first)])
        return count
    }

    func removeAll() { start = end }

    private func grow(to needed: Int) {
        var size = max(capacity, 32 << 10)
        while size < needed, size < limit { size = min(limit, size * 2) }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        let held = Int(end - start)
        if held > 0 {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: held, alignment: 16)
            defer { unsafe copy.deallocate() }
            _ = unsafe read(at: start, into: copy)
            let at = Int(start % Int64(size))
            let first = min(held, size - at)
            unsafe larger[at...].copyBytes(from: copy[..<first])
            unsafe larger.copyBytes(from: copy[first...])
        }
        unsafe bytes.deallocate()
        unsafe bytes = unsafe larger
    }
}
