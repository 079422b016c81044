/// Where the bytes of one resource are kept, by offset: a window of memory, or a cache on disk.
///
/// Its owner guards it by a lock; no method blocks.
protocol RangeStore: AnyObject {
    /// Bytes behind the reader that are kept as long as there is room for them.
    var retainedBytes: Int { get set }

    /// The offsets that are held, in order, without overlap.
    var ranges: [Range<Int64>] { get }

    /// Bytes that can be written at an offset without dropping what a reader still wants.
    func room(at offset: Int64, reader: Int64) -> Int

    /// Keeps bytes, at most `room` of them. Bytes that do not follow what is held may push it out.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, reader: Int64)

    /// Drops everything.
    func removeAll()

    /// Bytes that are held without a gap from an offset on.
    func available(from offset: Int64) -> Int64

    /// Copies held bytes; returns how many, 0 when the first is not here.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
