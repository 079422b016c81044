import Base

/// The bytes of one resource on disk, and in memory until they are there.
///
/// What arrives is gathered in chunks; a full one goes to the cache's thread and stays readable from memory until
/// it was written. Where the disk takes nothing (full, read-only, gone) the same chunks are a window of memory:
/// what is ahead of the reader and a little behind it.
final class DiskStore: RangeStore {
    /// Bytes in memory at most while the disk takes them.
    private static let diskLimit = 512 << 10

    /// Tells one store of a resource from another.
    let number: Int
    var retainedBytes: Int
    /// What was written.
    private(set) var segments = SegmentList()
    /// Nil until the cache's thread has made it.
    private(set) var file: CacheFile?
    /// False once the disk has refused.
    private(set) var isWritable = true
    /// Full chunks for the cache's thread; the shared resource takes them.
    private var outbox: [Chunk] = []
    /// In order of their offsets, without overlap with each other and with the segments, but for written ones.
    private var chunks: [Entry] = []
    /// Since when the disk has brought nothing of what it was given to an end; nil when it has nothing to do.
    private(set) var waitingSince: MonotonicTime?
    private var underWay = 0
    private let memoryLimit: Int
    private let chunkBytes: Int

    private struct Entry {
        let chunk: Chunk
        /// True when it also is a segment.
        var isWritten = false
    }

    /// An empty store, or one of what a cache holds. `length` decides how large the pieces are.
    init(
        number: Int, memoryLimit: Int, retainedBytes: Int, length: Int64?, cached: CachedResource? = nil
    ) {
        self.number = number
        self.memoryLimit = max(Self.diskLimit, memoryLimit)
        self.retainedBytes = retainedBytes
        // The list of a file of gigabytes must not weigh more than what it saves.
        chunkBytes = (length ?? 0) > 256 << 20 ? 128 << 10 : 64 << 10
        file = cached?.file
        segments = cached?.segments ?? SegmentList()
        if let length, length > 256 << 20 {
            segments.reserve(Int(clamping: min(length, 1 << 40)) / chunkBytes + 64)
        }
    }

    // MARK: What is here

    var keepsAll: Bool { isWritable }
    var resumeRoom: Int { limit / 4 }
    private var limit: Int { isWritable ? Self.diskLimit : memoryLimit }

    var ranges: [Range<Int64>] {
        var joiner = RangeJoiner()
        var parts = segments.ranges + chunks.filter { !$0.isWritten }.map { $0.chunk.start..<$0.chunk.end }
        parts.sort { $0.lowerBound < $1.lowerBound }
        for part in parts where !part.isEmpty { joiner.add(part) }
        return joiner.ranges
    }

    func available(from offset: Int64) -> Int64 { end(from: offset) - offset }

    /// The end of what is here without a gap from an offset on.
    private func end(from offset: Int64) -> Int64 {
        var end = offset
        while true {
            let before = end
            end = segments.end(from: end)
            for entry in chunks where entry.chunk.contains(end) { end = entry.chunk.end }
            if end == before { return end }
        }
    }

    func gap(from offset: Int64, to end: Int64) -> Range<Int64>? {
        let start = self.end(from: offset)
        guard start < end else { return nil }
        var next = segments.start(from: start) ?? end
        for entry in chunks where entry.chunk.start >= start && entry.chunk.count > 0 {
            next = min(next, entry.chunk.start)
        }
        return start..<min(next, end)
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        for entry in chunks where entry.chunk.contains(offset) {
            return unsafe entry.chunk.read(at: offset, into: buffer)
        }
        return 0
    }

    func block(at offset: Int64) -> StoredBlock? {
        guard let file, let segment = segments.segment(at: offset) else { return nil }
        return StoredBlock(file: file, segment: segment)
    }

    // MARK: What arrives

    func room(at offset: Int64, reader: Int64) -> Int {
        let kept = chunks.reduce(0) { isNeeded($1, reader) ? $0 + $1.chunk.count : $0 }
        return max(0, limit - kept)
    }

    /// True when an entry must stay in memory: nobody else has it, and it may still be wanted.
    private func isNeeded(_ entry: Entry, _ reader: Int64) -> Bool {
        if entry.isWritten { return false }
        // What waits for the disk is on its way; what is behind the reader can be fetched again.
        return isWritable || entry.chunk.end > reader &- Int64(retainedBytes)
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int64, reader: Int64) {
        var rest = unsafe source
        var at = offset
        if !isWritable { dropAllBut(offset) }
        while unsafe !rest.isEmpty {
            let held = end(from: at)
            var taken = Int(min(held - at, Int64(rest.count)))
            if taken == 0 { taken = unsafe append(rest, at: at) }
            at += Int64(taken)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[taken...])
        }
        trim(reader)
    }

    /// Puts bytes that are missing into the chunk that ends there, or a new one.
    private func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        if let entry = chunks.first(where: { $0.chunk.end == offset && !$0.chunk.isSealed }) {
            let taken = unsafe entry.chunk.append(bytes)
            if taken > 0 {
                if entry.chunk.count == entry.chunk.capacity { seal(entry.chunk) }
                return taken
            }
            seal(entry.chunk)
        }
        // Another place: what was begun elsewhere is as long as it gets.
        sealAll()
        let gap = gap(from: offset, to: .max)
        let room = min(Int64(chunkBytes), (gap?.upperBound ?? .max) &- offset)
        let chunk = Chunk(start: offset, capacity: Int(max(1, room)))
        let index = chunks.firstIndex { $0.chunk.start > offset } ?? chunks.count
        chunks.insert(Entry(chunk: chunk), at: index)
        let taken = unsafe chunk.append(bytes)
        if chunk.count == chunk.capacity { seal(chunk) }
        return taken
    }

    private func seal(_ chunk: Chunk) {
        guard !chunk.isSealed, chunk.count > 0 else { return }
        chunk.seal()
        guard isWritable else { return }
        outbox.append(chunk)
        // Also while the files are still to be made: that can hang as well.
        waitingSince = waitingSince ?? .now
    }

    func sealAll() { for entry in chunks { seal(entry.chunk) } }

    func takeChunks() -> (CacheFile, [Chunk])? {
        guard let file, !outbox.isEmpty else { return nil }
        defer { outbox = [] }
        underWay += outbox.count
        waitingSince = waitingSince ?? .now
        return (file, outbox)
    }

    /// Frees memory that is not needed: written chunks first, those farthest from the reader's way.
    private func trim(_ reader: Int64) {
        var held = chunks.reduce(0) { $0 + $1.chunk.capacity }
        guard held > limit else { return }
        let isBehind = { (entry: Entry) in entry.chunk.end <= reader }
        for drops in [
            { (entry: Entry) in entry.isWritten && isBehind(entry) }, { $0.isWritten },
            { [self] in $0.chunk.isSealed && !isNeeded($0, reader) },
        ] {
            chunks.removeAll { entry in
                guard held > limit, drops(entry) else { return false }
                held -= entry.chunk.capacity
                return true
            }
        }
    }

    /// Without a disk only one run of bytes is kept, as a transfer brings it.
    private func dropAllBut(_ offset: Int64) {
        guard let run = chunks.last(where: { $0.chunk.start <= offset }), end(from: run.chunk.start) >= offset
        else {
            chunks = []
            return
        }
        var start = run.chunk.start
        for entry in chunks.reversed() where entry.chunk.end == start { start = entry.chunk.start }
        chunks.removeAll { $0.chunk.end <= start || $0.chunk.start > offset }
    }

    func removeAll() {
        chunks = []
        outbox = []
        segments = SegmentList()
        file = nil
        isWritable = false
    }

    // MARK: What the cache's thread tells

    /// The files are there, or cannot be made.
    func attach(_ file: CacheFile?) {
        self.file = file
        if file == nil { refuse() }
    }

    /// A chunk lies on disk.
    func wrote(_ segment: Segment) {
        underWay -= 1
        waitingSince = underWay > 0 ? .now : nil
        for index in chunks.indices where chunks[index].chunk.start == segment.start {
            chunks[index].isWritten = true
        }
        if segments.insert(segment) { return }
        Log.error("cache", "a block at \(segment.start) was written over another")
    }

    /// The disk takes no more; what is on it can still be read.
    func refuse() {
        isWritable = false
        outbox = []
        waitingSince = nil
    }

    /// The disk gives nothing any more, either: what is on it must be fetched.
    func forgetDisk() {
        refuse()
        segments = SegmentList()
        for index in chunks.indices { chunks[index].isWritten = false }
    }

    /// A segment was found torn or rotten; false when that was known.
    @discardableResult
    func drop(_ segment: Segment) -> Bool { segments.remove(startingAt: segment.start) }
}

/// Where a read finds bytes on disk.
struct StoredBlock: Sendable {
    let file: CacheFile
    let segment: Segment
}
