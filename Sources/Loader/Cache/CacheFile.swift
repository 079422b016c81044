import Base
import CLinux
import Glibc
import Synchronization

/// The two files of one resource in the cache: its bytes, sparse, and their index.
///
/// The index names a block only after the block was synced. `write`, `commit` and `tell` are for the cache's
/// thread, `read` for any. Files that were removed meanwhile stay usable until this goes.
final class CacheFile: Sendable {
    /// Bytes that are written at most before they are synced.
    static let mostUnsynced = 4 << 20

    let key: CacheKey
    private let data: FileDescriptor
    private let faults: DiskFaults
    private let log: Mutex<Log>

    private struct Log: ~Copyable {
        let index: FileDescriptor
        /// Where the next record goes.
        var end: Int64
        /// Written, but not yet in the index.
        var segments: [Segment] = []
        var version: CachedVersion?
    }

    /// Takes open files. `end`: the bytes of the index that are good.
    init(
        key: CacheKey, data: consuming FileDescriptor, index: consuming FileDescriptor, end: Int64,
        version: CachedVersion?, faults: DiskFaults
    ) {
        self.key = key
        self.data = data
        self.faults = faults
        log = Mutex(Log(index: index, end: end, version: version))
    }

    // MARK: The cache's thread

    /// Writes a piece; it is in the index after the next `commit`.
    func write(_ chunk: Chunk) throws(SystemError) -> Segment {
        try faults.check(.write)
        let bytes = unsafe chunk.filled
        try unsafe System.pwriteAll(data.raw, bytes, at: chunk.start)
        let segment = Segment(
            start: chunk.start, count: Int32(clamping: bytes.count), checksum: unsafe Checksum.of(bytes))
        log.withLock { $0.segments.append(segment) }
        return segment
    }

    /// Bytes that were written and are not yet in the index.
    var unsyncedBytes: Int { log.withLock { $0.segments.reduce(0) { $0 + Int($1.count) } } }

    /// Syncs what was written, then names it in the index.
    func commit() throws(SystemError) {
        let segments = log.withLock { $0.segments }
        guard !segments.isEmpty else { return }
        try faults.check(.sync)
        try System.check("fdatasync", key.name) { fdatasync(data.raw) }
        try append(segments.map { .segment($0) })
        log.withLock { $0.segments.removeFirst(segments.count) }
    }

    /// Notes what is known of the version, where that is news.
    func note(_ version: CachedVersion) throws(SystemError) {
        guard log.withLock({ $0.version != version }) else { return }
        try append([.version(version)])
        log.withLock { $0.version = version }
    }

    /// Notes that a segment is no good.
    func noteDropped(_ segment: Segment) throws(SystemError) {
        let wasWaiting = log.withLock { log in
            let count = log.segments.count
            log.segments.removeAll { $0.start == segment.start }
            return log.segments.count < count
        }
        if !wasWaiting { try append([.dropped(start: segment.start)]) }
    }

    /// Appends records; what a failed append left behind is written over by the next.
    private func append(_ records: [IndexLog.Record]) throws(SystemError) {
        try faults.check(.write)
        let bytes = records.flatMap { IndexLog.encode($0) }
        let (index, end) = log.withLock { ($0.index.raw, $0.end) }
        try System.pwriteAll(index, bytes, at: end)
        log.withLock { $0.end += Int64(bytes.count) }
    }

    /// Makes it the one that was used last.
    func touch() { log.withLock { _ = futimens($0.index.raw, nil) } }

    // MARK: Any thread

    /// Reads a whole segment; false when it is not what was written.
    func read(_ segment: Segment, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var count = 0
        let wanted = Int(segment.count)
        guard buffer.count >= wanted, (try? faults.check(.read)) != nil else { return false }
        while count < wanted {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<wanted])
            guard
                let part = try? unsafe System.pread(data.raw, into: rest, at: segment.start + Int64(count)),
                part > 0
            else { return false }
            count += part
        }
        return unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: buffer[..<wanted])) == segment.checksum
    }
}

/// Where tests make a disk fail.
struct DiskFaults: Sendable {
    enum Operation: Sendable { case open, read, write, sync }

    /// Returns the errno that the operation is to fail with; nil for none.
    var code: @Sendable (Operation) -> Int32? = { _ in nil }

    func check(_ operation: Operation) throws(SystemError) {
        if let code = code(operation) { throw SystemError(code: code, operation: "\(operation)") }
    }
}
