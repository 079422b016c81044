import Base

/// The cache's side of a resource.
extension SharedResource {
    /// Looks into the cache; the loader's thread is told of the outcome.
    func lookUp() {
        guard let cache, !description.isFolder, description.document == nil, !cache.isSilent else { return }
        withState { $0.lookup = .underWay }
        let subject = DiskCache.Subject(
            url: url.request, shown: url.masked, identity: description.credentials.identityFields)
        cache.open(subject) { [self] result in
            let isWanted = withState { state in
                guard case .underWay = state.lookup else { return false }
                state.lookup = .done(result)
                return true
            }
            if isWanted { attend() } else { close(result) }
        }
    }

    private func close(_ lookup: DiskCache.Lookup) {
        if case .found(let cached) = lookup { cache?.close(cached.file) }
    }

    /// The files of a resource that is new to the cache are there, or cannot be made.
    func attach(_ file: CacheFile?, toStore number: Int) {
        let (isWanted, isReleased, version) = withState { state in
            guard let store = state.disk, store.number == number else {
                return (false, false, CachedVersion?.none)
            }
            store.attach(file)
            return (true, state.isReleased, state.version)
        }
        guard let file else { return }
        if isWanted {
            sendChunks()
            if let version { cache?.note(version, in: file) }
        }
        if !isWanted || isReleased { cache?.close(file, forgets: !isWanted) }
    }

    /// Gives the cache's thread what is to be written.
    func sendChunks() {
        guard let cache, let (file, chunks) = withState({ $0.store.takeChunks() }) else { return }
        for chunk in chunks {
            cache.write(chunk, to: file) { [self] segment in wrote(segment, to: file) }
        }
    }

    private func wrote(_ segment: Segment?, to file: CacheFile) {
        let mustAttend = withState { state in
            guard let disk = state.disk, disk.file === file else { return false }
            if let segment { disk.wrote(segment) } else { disk.refuse() }
            return state.canResume
        }
        if mustAttend { attend() }
    }

    /// A block on disk is no good: it is missing from now on.
    func drop(_ block: StoredBlock) {
        let wasNew = withState { state in
            guard let disk = state.disk, disk.file === block.file else { return false }
            return disk.drop(block.segment)
        }
        if wasNew { cache?.drop(block.segment, of: block.file) }
    }

    /// Gives the cache all that is in memory.
    func flush() {
        withState { $0.disk?.sealAll() }
        sendChunks()
    }

    /// The loader's thread is done with the resource.
    func release() {
        flush()
        let (file, lookup) = withState { state in
            state.isReleased = true
            defer { state.lookup = .none }
            return (state.disk?.file, state.lookup)
        }
        if let file { cache?.close(file) }
        if case .done(let result) = lookup { close(result) }
    }
}
