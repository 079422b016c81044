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

    /// Nobody reads any more: frees what only readers of this opening need.
    func close()

    /// Bytes that are held without a gap from an offset on.
    func available(from offset: Int64) -> Int64

    /// Copies held bytes from memory; returns how many, 0 when the first is not here, or is on disk.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int

    // MARK: A disk below

    /// True when what is written stays, whatever the reader does: then it pays to load all of a resource.
    var keepsAll: Bool { get }

    /// Room that must be there before a transfer that was held back goes on, in bytes.
    var resumeRoom: Int { get }

    /// The first offsets from one on that are missing, up to an end; nil when none are.
    func gap(from offset: Int64, to end: Int64) -> Range<Int64>?

    /// Where an offset lies on disk; nil when it does not. The caller reads it without the lock.
    func block(at offset: Int64) -> StoredBlock?

    /// Takes what is to be written to disk now, and where to.
    func takeChunks() -> (CacheFile, [Chunk])?
}

extension RangeStore {
    var keepsAll: Bool { false }
    func close() {}
    func block(at offset: Int64) -> StoredBlock? { nil }
    func takeChunks() -> (CacheFile, [Chunk])? { nil }

    func gap(from offset: Int64, to end: Int64) -> Range<Int64>? {
        let start = offset + available(from: offset)
        guard start < end else { return nil }
        let next = ranges.first { $0.lowerBound >= start }?.lowerBound ?? end
        return start..<min(end, next)
    }
}
