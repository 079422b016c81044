import Base
import CLinux
import Glibc

/// The cache's folder: its lock, its salt, and the files of each resource. The cache's thread only.
///
/// `NAME.data` and `NAME.index` belong to a resource, `NAME.pinned` keeps it from being evicted. There is no index
/// over all: what is here is found by its name, and damage stays with the resource that it happened to.
final class CacheFolder {
    struct Item {
        /// Bytes on disk.
        var bytes: Int64 = 0
        /// Unix time of the last use.
        var usedAt: Double = 0
        var isPinned = false
    }

    private final class Lock {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    let path: String
    let salt: [UInt8]
    private(set) var items: [String: Item] = [:]
    /// Bytes on disk of all of them; counted along, since every block that is written asks for it.
    private(set) var used: Int64 = 0
    /// Held as long as this lives.
    private let lock: Lock
    private let faults: DiskFaults

    /// Makes the folder and takes its lock. Throws EWOULDBLOCK when another process has it.
    init(_ path: String, _ faults: DiskFaults) throws(SystemError) {
        self.path = path
        self.faults = faults
        let (lock, salt, isNew) = try Self.take(path, faults)
        self.lock = lock
        self.salt = salt
        // What lies here under another salt could never be found again.
        scan(removesAll: isNew)
    }

    private static func take(_ path: String, _ faults: DiskFaults) throws(SystemError)
        -> (Lock, [UInt8], isNew: Bool)
    {
        try faults.check(.open)
        try System.makeFolders(path)
        let lock = Lock(try System.open(path + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW))
        try System.check("flock", path) { flock(lock.descriptor.raw, LOCK_EX | LOCK_NB) }
        let (salt, isNew) = try salt(path)
        return (lock, salt, isNew)
    }

    private static func salt(_ path: String) throws(SystemError) -> ([UInt8], isNew: Bool) {
        let file = path + "/salt"
        do throws(SystemError) {
            let salt = try System.contents(of: file, limit: 64)
            if salt.count == 32 { return (salt, false) }
        } catch  where error.code != ENOENT {
            // It may be there, and another one would make all that is kept useless.
            throw error
        } catch {}
        var salt = [UInt8](repeating: 0, count: 32)
        let count = unsafe getrandom(&salt, salt.count, 0)
        guard count == salt.count else { throw SystemError(code: errno, operation: "getrandom") }
        let new = try System.open(file + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try System.pwriteAll(new.raw, salt, at: 0)
        try System.check("fsync", file) { fsync(new.raw) }
        try System.check("rename", file) { unsafe rename(file + ".new", file) }
        return (salt, true)
    }

    // MARK: What is here

    /// Looks at all files; what has no index is removed.
    private func scan(removesAll: Bool) {
        let names = OpenFolder.names(in: path)
        let indexed = Set(names.filter { $0.hasSuffix(".index") }.map { $0.dropLast(6) })
        for file in names {
            guard let dot = file.lastIndex(of: "."),
                ["data", "index", "pinned"].contains(file[dot...].dropFirst())
            else { continue }
            let name = file[..<dot]
            var status = stat()
            guard !removesAll, indexed.contains(name), unsafe stat("\(path)/\(file)", &status) == 0 else {
                unsafe unlink("\(path)/\(file)")
                continue
            }
            var item = items[String(name)] ?? Item()
            if file.hasSuffix(".pinned") { item.isPinned = true }
            if file.hasSuffix(".index") {
                item.usedAt = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
            }
            item.bytes += Int64(status.st_blocks) * 512
            used += Int64(status.st_blocks) * 512
            items[String(name)] = item
        }
    }

    /// Bytes that are free for this user on the folder's disk; nil when that cannot be told.
    var free: Int64? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).0)
    }

    /// False when the folder was removed or moved below us.
    var isThere: Bool { unsafe access(path + "/lock", F_OK) == 0 }

    // MARK: Files

    /// Opens what is kept under a key; nil when there is nothing, or nothing good.
    func open(_ key: CacheKey) -> CachedResource? {
        guard items[key.name] != nil else { return nil }
        do throws(SystemError) {
            if var cached = try read(key) {
                cached.file.touch()
                use(key.name)
                cached.isPinned = items[key.name]?.isPinned ?? false
                return cached
            }
            Log.warning("cache", "what was kept of \(key.shown) is damaged and was removed")
        } catch {
            Log.warning("cache", "what was kept of \(key.shown) cannot be used: \(error)")
        }
        remove(key.name)
        return nil
    }

    private func read(_ key: CacheKey) throws(SystemError) -> CachedResource? {
        try faults.check(.open)
        let base = "\(path)/\(key.name)"
        let log = try System.contents(of: base + ".index", limit: 64 << 20)
        guard var contents = IndexLog.read(log), contents.key == key.whole, let version = contents.version
        else { return nil }
        let index = try System.open(base + ".index", O_RDWR | O_NOFOLLOW)
        if contents.goodBytes < log.count {
            try System.check("ftruncate", base) { ftruncate(index.raw, off_t(contents.goodBytes)) }
        }
        let data = try System.open(base + ".data", O_RDWR | O_NOFOLLOW)
        var status = stat()
        try System.check("fstat", base) { unsafe fstat(data.raw, &status) }
        let size = min(Int64(status.st_size), version.length ?? .max)
        for segment in contents.segments.all where segment.end > size {
            contents.segments.remove(startingAt: segment.start)
        }
        let file = CacheFile(
            key: key, data: data, index: index, end: Int64(contents.goodBytes), version: version,
            faults: faults)
        return CachedResource(file: file, version: version, segments: contents.segments)
    }

    /// Makes the files of a resource, in place of any that were there.
    func create(_ key: CacheKey, _ version: CachedVersion) throws(SystemError) -> CacheFile {
        try faults.check(.open)
        remove(key.name)
        let base = "\(path)/\(key.name)"
        // The data first: an index without it would be a claim.
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let data = try System.open(base + ".data", flags)
        let index = try System.open(base + ".index", flags)
        let head = IndexLog.encode(.head(key: key.whole, url: key.url, shown: key.shown))
        let bytes = IndexLog.magic + head + IndexLog.encode(.version(version))
        try System.pwriteAll(index.raw, bytes, at: 0)
        items[key.name] = Item()
        use(key.name)
        return CacheFile(
            key: key, data: data, index: index, end: Int64(bytes.count), version: version, faults: faults)
    }

    private func use(_ name: String) { items[name]?.usedAt = Clocks.unixTime }

    /// Counts bytes that were written.
    func add(_ bytes: Int64, to name: String) {
        guard items[name] != nil else { return }
        items[name]?.bytes += bytes
        used += bytes
    }

    /// Removes the files of a resource; who has them open can go on.
    func remove(_ name: String) {
        // The index first: what it claims must be there as long as it is.
        for suffix in [".index", ".data", ".pinned"] { unsafe unlink("\(path)/\(name)\(suffix)") }
        used -= items.removeValue(forKey: name)?.bytes ?? 0
    }

    /// Keeps a resource from being evicted, or lets it be.
    func pin(_ name: String, _ isPinned: Bool) throws(SystemError) {
        guard items[name] != nil else { return }
        let file = "\(path)/\(name).pinned"
        if isPinned {
            _ = try System.open(file, O_WRONLY | O_CREAT | O_NOFOLLOW)
        } else {
            unsafe unlink(file)
        }
        items[name]?.isPinned = isPinned
    }

    /// Removes what was not used for longest, but for those names and what is pinned, until that many bytes are
    /// taken at most. False when that was not enough.
    @discardableResult
    func evict(to limit: Int64, keeping names: Set<String>) -> Bool {
        let candidates = items.filter { !$0.value.isPinned && !names.contains($0.key) }
        for (name, item) in candidates.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            if used <= limit { break }
            remove(name)
            Log.info("cache", "\(item.bytes) bytes were removed for room")
        }
        return used <= limit
    }

    /// What the index of a name tells; nil when it is no good.
    func contents(of name: String) -> IndexLog.Contents? {
        (try? System.contents(of: "\(path)/\(name).index", limit: 64 << 20)).flatMap { IndexLog.read($0) }
    }
}
