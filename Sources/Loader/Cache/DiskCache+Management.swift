import Base
import Synchronization

/// What people ask of the cache and tell it. Any thread; `done` is called on the cache's.
extension DiskCache {
    /// Sets the limit and keeps to it at once.
    package func setLimit(_ bytes: Int64) {
        run { cache in
            cache.withFolder { folder, state in
                state.status.limit = bytes
                cache.measure(folder, &state)
                folder.evict(to: state.status.allowed, keeping: Set(state.open.keys))
            }
        }
    }

    /// Keeps what is here of a resource from being evicted, or lets it be; `done` tells whether there is any.
    package func pin(url: String, _ isPinned: Bool, _ done: @escaping @Sendable (Bool) -> Void = { _ in }) {
        run { cache in
            let isDone = cache.withFolder { folder, state -> Bool in
                let names = Self.names(of: url, folder)
                for name in names { try? folder.pin(name, isPinned) }
                return !names.isEmpty
            }
            done(isDone ?? false)
        }
    }

    /// Syncs what is open, and then tells which of some URLs are here whole, whatever moment the power goes.
    package func findWhole(of urls: [String], _ done: @escaping @Sendable (Set<String>) -> Void) {
        let isAccepted = run { cache in
            cache.syncAll { cache in
                done(cache.withFolder { folder, _ in Self.whole(of: urls, folder) } ?? [])
            }
        }
        if !isAccepted { done([]) }
    }

    private static func whole(of urls: [String], _ folder: CacheFolder) -> Set<String> {
        var wanted: [[UInt8]: String] = [:]
        for url in urls { if let hash = hash(of: url, folder) { wanted[hash] = url } }
        var found: Set<String> = []
        for name in folder.items.keys {
            guard let contents = folder.contents(of: name), let url = wanted[contents.url],
                let length = contents.version?.length, contents.segments.end(from: 0) >= length
            else { continue }
            found.insert(url)
        }
        return found
    }

    /// Tells the status as of now.
    package func status(_ done: @escaping @Sendable (CacheStatus) -> Void) {
        let isAccepted = run { cache in
            cache.withFolder { folder, state in cache.measure(folder, &state) }
            done(cache.state.withLock { $0.status })
        }
        if !isAccepted { done(state.withLock { $0.status }) }
    }

    /// Tells all that is here, what was used last first.
    package func list(_ done: @escaping @Sendable ([CacheEntry]) -> Void) {
        let isAccepted = run { cache in
            done(cache.withFolder { folder, _ in Self.entries(folder) } ?? [])
        }
        if !isAccepted { done([]) }
    }

    /// Looks whether a disk that was full has room again; its status tells.
    package func lookForRoom() {
        run { cache in cache.withFolder { folder, state in cache.noteRoom(folder, &state) } }
    }

    /// Removes what is kept of a URL, or all but what is pinned; `done` gets the bytes that were freed.
    package func clear(url: String?, _ done: @escaping @Sendable (Int64) -> Void) {
        let isAccepted = run { cache in
            let freed = cache.withFolder { folder, state -> Int64 in
                let before = folder.used
                let names =
                    url.map { Self.names(of: $0, folder) }
                    ?? folder.items.filter { !$0.value.isPinned }.map(\.key)
                for name in names { folder.remove(name) }
                cache.noteRoom(folder, &state)
                return before - folder.used
            }
            done(freed ?? 0)
        }
        if !isAccepted { done(0) }
    }

    private static func entries(_ folder: CacheFolder) -> [CacheEntry] {
        var entries: [CacheEntry] = []
        for (name, item) in folder.items {
            guard let contents = folder.contents(of: name) else { continue }
            let length = contents.version?.length
            entries.append(
                CacheEntry(
                    url: contents.shown, bytes: contents.segments.bytes, length: length,
                    contentType: contents.version?.contentType,
                    isComplete: length.map { contents.segments.end(from: 0) >= $0 } ?? false,
                    isPinned: item.isPinned, usedAt: item.usedAt))
        }
        return entries.sorted { $0.usedAt > $1.usedAt }
    }

    private static func names(of url: String, _ folder: CacheFolder) -> [String] {
        guard let hash = hash(of: url, folder) else { return [] }
        return folder.items.keys.filter { folder.contents(of: $0)?.url == hash }
    }

    /// What an index names a URL by: as it is asked for, without a password and a fragment.
    private static func hash(of url: String, _ folder: CacheFolder) -> [UInt8]? {
        guard let location = try? ResourceLocation(url), case .remote(let remote) = location else {
            return nil
        }
        return CacheKey.hash([remote.request], folder.salt)
    }
}
