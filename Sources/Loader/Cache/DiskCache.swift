import Base
import Glibc
import Synchronization

/// The cache on disk: what was fetched stays for the next time. Any thread may call; all work is done on `jb-cache`.
///
/// Whatever goes wrong here costs only that: playing goes on from the network, and the status says why.
package final class DiskCache: Sendable {
    /// Bytes that must be free on a disk that was full before it counts as having room.
    private static let room: Int64 = 1 << 20
    /// How long written bytes may wait for a sync.
    private static let syncDelay = Duration.seconds(2)
    /// How often it is told that more is used, while blocks are written.
    private static let toldInterval = Duration.milliseconds(250)
    /// How often the free disk is looked at, in bytes written.
    private static let measureInterval: Int64 = 16 << 20

    private let settings: CacheSettings
    private let queue = JobQueue(name: "jb-cache")
    /// A sync may take seconds on a card or a busy disk; nobody waits for one.
    private let syncs = JobQueue(name: "jb-sync")
    /// Reads blocks; apart, because nobody may hang with it.
    let blocks = BlockQueue()
    /// Touched on the cache's thread only; the lock is for the compiler. A disk that hangs keeps it locked.
    let state: Mutex<State>
    /// What others may look at all the same.
    private let told: Mutex<Told>

    private struct Told {
        var status: CacheStatus
        var isSilent = false
        /// True while it is to be told soon.
        var isDue = false
    }

    struct OpenFile {
        let file: CacheFile
        /// Who has it; 0 while only its last sync is waited for.
        var users = 1
    }

    struct State {
        var folder: CacheFolder?
        var status: CacheStatus
        /// Files that somebody has open.
        var open: [String: OpenFile] = [:]
        /// Files whose sync is to come.
        var unsynced: Set<String> = []
        var sinceMeasured: Int64 = 0
        /// True when the last that was to be written found no room.
        var isDiskFull = false
        /// True at the end: the folder may be another daemon's by now.
        var isClosed = false
    }

    package init(_ settings: CacheSettings) {
        self.settings = settings
        var status = CacheStatus(limit: settings.limit)
        status.folder = settings.folder
        state = Mutex(State(status: status))
        told = Mutex(Told(status: status))
    }

    /// Takes the lock and looks at what is there.
    package func start() { run { cache in cache.withFolder { _, _ in } } }

    // MARK: For resources

    /// What decides a cache key besides the URL.
    struct Subject: Sendable {
        let url: String
        let shown: String
        let identity: [String]
    }

    /// What came of a lookup.
    enum Lookup: Sendable {
        case found(CachedResource)
        /// Nothing is kept yet; the key is for keeping it.
        case nothing(CacheKey)
        case unusable
    }

    /// Looks for a resource, and holds what it finds until `close`. `done` is called on the cache's thread.
    func open(_ subject: Subject, _ done: @escaping @Sendable (Lookup) -> Void) {
        // Behind what the jobs before it will give this thread to do: what was just closed may still get its chunks.
        let isAccepted = run { cache in
            let isAccepted = cache.run { $0.look(for: subject, done) }
            if !isAccepted { done(.unusable) }
        }
        if !isAccepted { done(.unusable) }
    }

    private func look(for subject: Subject, _ done: @escaping @Sendable (Lookup) -> Void) {
        state.withLock { state in
            // Files that are open could be written on, but nobody would find them again.
            guard let folder = state.folder, !folder.isThere else { return }
            state.folder = nil
            state.open = [:]
        }
        let result = withFolder { folder, state -> Lookup in
            let key = CacheKey(
                url: subject.url, shown: subject.shown, identity: subject.identity, salt: folder.salt)
            guard let key else { return .unusable }
            // Several may have it: they write the same bytes to the same places.
            if let cached = state.open[key.name]?.file.contents() {
                state.open[key.name]?.users += 1
                return .found(cached)
            }
            guard let cached = folder.open(key) else { return .nothing(key) }
            state.open[key.name] = OpenFile(file: cached.file)
            return .found(cached)
        }
        done(result ?? .unusable)
    }

    /// Makes the files of a resource, in place of any; `done` gets nil when that cannot be.
    func create(_ key: CacheKey, _ version: CachedVersion, _ done: @escaping @Sendable (CacheFile?) -> Void) {
        let isAccepted = run { cache in
            let file = cache.withFolder { folder, state -> CacheFile? in
                if let open = state.open[key.name], open.users > 0, open.file.isOf(version) {
                    state.open[key.name]?.users += 1
                    return open.file
                }
                do throws(SystemError) {
                    let file = try cache.retrying(folder, &state) { (folder) throws(SystemError) in
                        try folder.create(key, version)
                    }
                    state.open[key.name] = OpenFile(file: file)
                    return file
                } catch {
                    cache.note(error, &state)
                    return nil
                }
            }
            done(file ?? nil)
        }
        if !isAccepted { done(nil) }
    }

    /// Writes a piece; `done` gets its segment, or nil when the disk does not take it.
    func write(_ chunk: Chunk, to file: CacheFile, _ done: @escaping @Sendable (Segment?) -> Void) {
        let isAccepted = run { cache in done(cache.write(chunk, file)) }
        if !isAccepted { done(nil) }
    }

    private func write(_ chunk: Chunk, _ file: CacheFile) -> Segment? {
        let name = file.key.name
        let result = withFolder { folder, state -> Segment? in
            guard hasRoom(for: Int64(chunk.count), folder, &state) else {
                // That the limit is small was meant; that the disk is full is news.
                if state.status.allowed < state.status.limit {
                    note(SystemError(code: ENOSPC, operation: "statvfs"), &state)
                }
                return nil
            }
            do throws(SystemError) {
                let segment = try retrying(folder, &state) { (_) throws(SystemError) in try file.write(chunk)
                }
                if state.open[name]?.file === file { folder.add(Int64(segment.count), to: name) }
                state.status.error = nil
                return segment
            } catch {
                note(error, &state)
                return nil
            }
        }
        guard let segment = result ?? nil else { return nil }
        let isFirst = state.withLock { $0.unsynced.insert(name).inserted }
        if isFirst || file.isSyncDue {
            try? syncs.run(after: isFirst ? Self.syncDelay : .zero) { [weak self] in self?.commit(file) }
        }
        return segment
    }

    /// Syncs what was written of a file; the syncing thread.
    private func commit(_ file: CacheFile) {
        state.withLock { _ = $0.unsynced.remove(file.key.name) }
        do throws(SystemError) {
            try file.commit()
        } catch {
            state.withLock { note(error, &$0) }
            tell()
        }
    }

    /// Notes what is known of a version.
    func note(_ version: CachedVersion, in file: CacheFile) {
        run { cache in
            do throws(SystemError) {
                try file.note(version)
            } catch {
                cache.state.withLock { cache.note(error, &$0) }
            }
        }
    }

    /// Notes that a block was found to be no good.
    func drop(_ segment: Segment, of file: CacheFile) {
        Log.warning(
            "cache", "a block of \(file.key.shown) at byte \(segment.start) is damaged; it is fetched again")
        run { _ in try? file.noteDropped(segment) }
    }

    /// Syncs all that is open, and does something on the cache's thread then.
    func syncAll(_ body: @escaping @Sendable (DiskCache) -> Void) {
        let files = state.withLock { $0.open.values.map(\.file) }
        let isAccepted: Void? = try? syncs.run { [self] in
            for file in files { commit(file) }
            run(body)
        }
        if isAccepted == nil { body(self) }
    }

    /// Ends the use of a file; what was written is synced. A `forgotten` one is removed.
    func close(_ file: CacheFile, forgets: Bool = false) {
        run { cache in
            let name = file.key.name
            if forgets { return cache.end(file, removes: true) }
            cache.state.withLock { if $0.open[name]?.file === file { $0.open[name]?.users -= 1 } }
            try? cache.syncs.run {
                cache.commit(file)
                cache.run { $0.end(file, removes: false) }
            }
        }
    }

    private func end(_ file: CacheFile, removes: Bool) {
        let name = file.key.name
        withFolder { folder, state in
            guard let open = state.open[name], open.file === file, removes || open.users <= 0 else { return }
            state.open[name] = nil
            if removes { folder.remove(name) }
        }
    }

    /// Syncs everything and gives the folder back, for so long at most; for the end of a daemon.
    func close(until deadline: MonotonicTime) {
        let done = WakePoint()
        // Behind what the jobs before it will give this thread to do: a file that is made at last gets its chunks.
        let isAccepted = run { cache in cache.run { $0.finish(done) } }
        if isAccepted { done.wait(until: deadline) }
    }

    private func finish(_ done: WakePoint) {
        let files = state.withLock { state in
            defer { state.isClosed = true }
            return state.open.values.map(\.file)
        }
        let isAccepted: Void? = try? syncs.run { [self] in
            for file in files { commit(file) }
            state.withLock { state in
                state.folder = nil
                state.open = [:]
            }
            done.signal()
        }
        if isAccepted == nil { done.signal() }
    }

    // MARK: Room

    private func hasRoom(for bytes: Int64, _ folder: CacheFolder, _ state: inout State) -> Bool {
        state.sinceMeasured += bytes
        if state.status.allowed == 0 || state.sinceMeasured >= Self.measureInterval {
            measure(folder, &state)
        }
        if folder.used + bytes <= state.status.allowed { return true }
        return folder.evict(to: state.status.allowed - bytes, keeping: Set(state.open.keys))
    }

    /// At most half of what would be free without the cache is taken.
    func measure(_ folder: CacheFolder, _ state: inout State) {
        state.sinceMeasured = 0
        let most = settings.faults.free(folder.free).map { (folder.used &+ $0) / 2 } ?? .max
        state.status.allowed = max(0, min(state.status.limit, most))
    }

    /// Tries again once after making room, or after making the folder anew, where that may help.
    private func retrying<Result>(
        _ folder: CacheFolder, _ state: inout State,
        _ body: (CacheFolder) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        do {
            return try body(folder)
        } catch  where error.code == ENOSPC || error.code == EDQUOT {
            let used = folder.used
            folder.evict(to: used - max(used / 8, 8 << 20), keeping: Set(state.open.keys))
            guard folder.used < used else { throw error }
            return try body(folder)
        } catch  where error.code == ENOENT && !folder.isThere {
            let new = try CacheFolder(settings.folder, settings.faults)
            state.folder = new
            return try body(new)
        }
    }

    // MARK: The cache's thread

    /// False when there is no thread to be had.
    @discardableResult
    func run(_ body: @escaping @Sendable (DiskCache) -> Void) -> Bool {
        do throws(SystemError) {
            try queue.run { [self] in
                body(self)
                tell()
            }
            return true
        } catch {
            state.withLock { note(error, &$0) }
            tell()
            return false
        }
    }

    /// Runs `body` on the folder, which is made first; nil when that cannot be.
    @discardableResult
    func withFolder<Result: Sendable>(
        _ body: (CacheFolder, inout State) -> Result
    ) -> Result? {
        state.withLock { state in
            if state.isClosed { return nil }
            if state.folder == nil {
                do throws(SystemError) {
                    state.folder = try CacheFolder(settings.folder, settings.faults)
                    state.status.error = nil
                } catch {
                    note(error, &state)
                    return nil
                }
            }
            guard let folder = state.folder else { return nil }
            let result = body(folder, &state)
            state.status.used = state.folder?.used ?? 0
            state.status.entries = state.folder?.items.count ?? 0
            return result
        }
    }

    /// Takes back that the disk is full where it has room again: only a write would tell else.
    func noteRoom(_ folder: CacheFolder, _ state: inout State) {
        guard state.isDiskFull, settings.faults.free(folder.free) ?? 0 >= Self.room else { return }
        state.isDiskFull = false
        state.status.error = nil
    }

    private func note(_ error: SystemError, _ state: inout State) {
        let text: String
        state.isDiskFull = false
        switch error.code {
        case EWOULDBLOCK:
            text = "Another daemon uses the cache in \(settings.folder); this one plays without a cache."
        case ENOSPC, EDQUOT:
            state.isDiskFull = true
            text = "The disk of the cache in \(settings.folder) is full; nothing more is kept."
        default:
            text = "The cache in \(settings.folder) cannot be used: \(error)."
        }
        guard state.status.error != text else { return }
        state.status.error = text
        Log.warning("cache", text)
    }

    // MARK: A disk that hangs

    /// True while the disk does not answer: then nobody should ask for what is on it.
    package var isSilent: Bool { told.withLock { $0.isSilent } }

    /// The status as it was told last; never waits.
    package var lastStatus: CacheStatus { told.withLock { $0.status } }

    /// Somebody waited for the disk in vain: it counts as silent until a job of its thread ends.
    package func noteSilence() {
        let news = told.withLock { told -> CacheStatus? in
            guard !told.isSilent else { return nil }
            told.isSilent = true
            told.status.error =
                "The disk of the cache in \(settings.folder) does not answer; nothing is kept meanwhile."
            return told.status
        }
        guard let news else { return }
        Log.warning("cache", news.error ?? "")
        settings.tell(news)
    }

    private func tell() {
        let status = state.withLock { $0.status }
        let isUrgent = told.withLock { told in
            defer { told.isSilent = false }
            return told.isSilent || told.status.error != status.error || told.status.limit != status.limit
        }
        if isUrgent { return tell(status) }
        let isFirst = told.withLock { told in
            guard told.status != status, !told.isDue else { return false }
            told.isDue = true
            return true
        }
        guard isFirst else { return }
        do throws(SystemError) {
            // What one block changes is not worth waking somebody up.
            try queue.run(after: Self.toldInterval) { [weak self] in
                guard let self else { return }
                tell(state.withLock { $0.status })
            }
        } catch {
            tell(status)
        }
    }

    private func tell(_ status: CacheStatus) {
        let isNews = told.withLock { told in
            told.isDue = false
            defer { told.status = status }
            return told.status != status
        }
        if isNews { settings.tell(status) }
    }
}
