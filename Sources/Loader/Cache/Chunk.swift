/// A piece of a resource in memory, filled by the loader's thread and then written by the cache's.
///
/// Once it was sealed nobody changes it, and any thread may read it; before that it is touched under the lock of
/// its store.
@safe final class Chunk: @unchecked Sendable {
    let start: Int64
    let capacity: Int
    private(set) var count = 0
    /// True when nothing more is put in.
    private(set) var isSealed = false
    // Safe because this owner alone allocates and frees it, and the rule above holds for what it points to.
    private let bytes: UnsafeMutableRawBufferPointer

    init(start: Int64, capacity: Int) {
        self.start = start
        self.capacity = capacity
        unsafe bytes = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe bytes.deallocate() }

    var end: Int64 { start + Int64(count) }

    func contains(_ offset: Int64) -> Bool { offset >= start && offset < end }

    /// What was put in.
    var filled: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count]) }

    /// Puts in as much as there is room for; returns how much.
    func append(_ source: UnsafeRawBufferPointer) -> Int {
        let taken = min(source.count, capacity - count)
        guard !isSealed, taken > 0 else { return 0 }
        unsafe bytes[count...].copyBytes(from: source[..<taken])
        count += taken
        return taken
    }

    func seal() { isSealed = true }

    /// Copies from an offset on; returns how much, 0 when it is not in here.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard contains(offset) else { return 0 }
        let from = Int(offset - start)
        let taken = min(buffer.count, count - from)
        unsafe buffer.copyBytes(from: bytes[from..<from + taken])
        return taken
    }
}
