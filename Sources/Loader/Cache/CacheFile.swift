import Base
import CLinux
import Glibc
import Synchronization

/// The two files of one resource in the cache: its bytes, sparse, and their index.
///
/// The index names a block only after the block was synced. `read` is for any thread, the rest for the cache's,
/// which write and sync. Files that were removed meanwhile stay usable until this goes.
final class CacheFile: Sendable {
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
        /// Those of them that are being synced.
        var syncing: [Segment] = []
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

    // MARK: The cache's threads

    /// True when it is for that version of the resource.
    func isOf(_ version: CachedVersion) -> Bool {
        log.withLock { $0.version?.validator == version.validator && $0.version?.length == version.length }
    }

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

    /// True when so much waits for its sync that it should come now.
    var isSyncDue: Bool { log.withLock { $0.segments.count == 512 } }

    /// Syncs what was written, then names it in the index; one thread at a time.
    func commit() throws(SystemError) {
        let isNews = log.withLock { log in
            swap(&log.segments, &log.syncing)
            return !log.syncing.isEmpty
        }
        guard isNews else { return }
        do throws(SystemError) {
            try faults.check(.sync)
            try System.check("fdatasync", key.name) { fdatasync(data.raw) }
            try log.withLock { (log) throws(SystemError) in try appendSynced(&log) }
        } catch {
            // Another sync may do.
            log.withLock { log in
                log.segments = log.syncing + log.segments
                log.syncing = []
            }
            throw error
        }
    }

    /// Names what was synced: some at a time, since a record in memory is many times larger than in the file.
    private func appendSynced(_ log: inout Log) throws(SystemError) {
        while !log.syncing.isEmpty {
            let some = log.syncing.prefix(64)
            try append(some.map { .segment($0) }, &log)
            log.syncing.removeFirst(some.count)
        }
    }

    /// Notes what is known of the version, where that is news.
    func note(_ version: CachedVersion) throws(SystemError) {
        try log.withLock { (log) throws(SystemError) in
            guard log.version != version else { return }
            try append([.version(version)], &log)
            log.version = version
        }
    }

    /// Notes that a segment is no good.
    func noteDropped(_ segment: Segment) throws(SystemError) {
        try log.withLock { (log) throws(SystemError) in
            let count = log.segments.count + log.syncing.count
            log.segments.removeAll { $0.start == segment.start }
            log.syncing.removeAll { $0.start == segment.start }
            if log.segments.count + log.syncing.count == count {
                try append([.dropped(start: segment.start)], &log)
            }
        }
    }

    /// What the index and the memory know together; nil when the index cannot be read.
    func contents() -> CachedResource? {
        log.withLock { log in
            var bytes = [UInt8](repeating: 0, count: Int(clamping: log.end))
            let count = unsafe bytes.withUnsafeMutableBytes {
                (try? unsafe System.pread(log.index.raw, into: $0, at: 0)) ?? 0
            }
            guard count == bytes.count, var contents = IndexLog.read(bytes), let version = log.version else {
                return nil
            }
            for segment in log.syncing + log.segments { contents.segments.insert(segment) }
            return CachedResource(file: self, version: version, segments: contents.segments)
        }
    }

    /// Appends records; what a failed append left behind is written over by the next.
    private func append(_ records: [IndexLog.Record], _ log: inout Log) throws(SystemError) {
        try faults.check(.write)
        let bytes = records.flatMap { IndexLog.encode($0) }
        try System.pwriteAll(log.index.raw, bytes, at: log.end)
        log.end += Int64(bytes.count)
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
    /// Returns how many bytes are free, given how many are.
    var free: @Sendable (Int64?) -> Int64? = { $0 }

    func check(_ operation: Operation) throws(SystemError) {
        if let code = code(operation) { throw SystemError(code: code, operation: "\(operation)") }
    }
}
