import Base

/// What the cache has of the resource, and what goes into it.
extension Resource {
    // MARK: Opening

    /// Begins as soon as the cache has answered, or took too long.
    func takeLookup(at now: MonotonicTime) {
        let isLate = lookupDeadline.map { $0 <= now } ?? true
        let lookup = shared.withState { state in
            let lookup = state.lookup
            if case .underWay = lookup, !isLate { return lookup }
            state.lookup = .none
            return lookup
        }
        switch lookup {
        case .underWay where !isLate: return
        case .done(.found(let cached)):
            lookupDeadline = nil
            return start(from: cached)
        case .done(.nothing(let key)): cacheKey = key
        case .underWay:
            Log.warning("cache", "the cache's disk is slow; \(shared.url.masked) is fetched")
            shared.cache?.noteSilence()
        case .none, .done(.unusable): break
        }
        lookupDeadline = nil
        if !settings.isOffline { shared.tell(.connecting) }
        begin(at: 0)
    }

    private func start(from cached: CachedResource) {
        cacheKey = cached.file.key
        guard cached.segments.bytes > 0 else {
            shared.cache?.close(cached.file)
            shared.tell(.connecting)
            return begin(at: 0)
        }
        version = cached.version
        known.length = version.length
        known.validator = version.validator
        known.hasBytes = true
        givesRanges = version.givesRanges
        // What was downloaded is played as it was downloaded, and its server let be.
        let isDownloaded = cached.isPinned && cached.isWhole
        let isUsable = settings.isOffline || isDownloaded || version.freshness.isFresh(at: Clocks.unixTime)
        let store = makeStore(cached)
        shared.withState { [version] state in
            state.store = store
            state.version = version
            state.isValidating = !isUsable
        }
        shared.note(
            .cache,
            "\(cached.isWhole ? "all" : "\(cached.segments.bytes) bytes") of it here from before, "
                + (isUsable ? "still good" : "the server is asked whether it is the same"))
        if isUsable {
            trust()
            attend()
        } else {
            shared.tell(.connecting)
            validate(isWhole: cached.isWhole)
        }
    }

    /// Asks whether what is here is what the server has: by the request for what is missing, where that can tell.
    private func validate(isWhole: Bool) {
        let validator = version.validator
        let gap = shared.withState { $0.store.gap(from: 0, to: version.length ?? .max) }
        if let gap, !isWhole, validator.ifRange != nil, givesRanges == true {
            begin(at: gap.lowerBound)
        } else if validator.etag != nil || validator.lastModified != nil {
            asksForChange = true
            begin(at: 0)
        } else {
            // Nobody could tell whether it is the same.
            forget()
            reset()
            begin(at: 0)
        }
    }

    // MARK: What the server says of it

    var isValidating: Bool { shared.withState { $0.isValidating } }

    /// True when an answer is not certainly of the version that is here, of which nothing was read yet.
    func isOutdated(_ head: ResponseHead, _ request: LoadingRequest) -> Bool {
        guard (200...299).contains(head.status), isValidating else { return false }
        if head.status == 206, request.ifRange != nil { return false }
        return !version.isConfirmed(by: head.validator)
    }

    /// What is here is good for another while.
    func confirm(_ head: ResponseHead) {
        redirects = 0
        shared.note(.cache, "what is here is still the same")
        version.freshness = Freshness(
            head, asked: askedAt, received: Clocks.unixTime, lastModified: version.validator.lastModified)
        noteVersion()
        trust()
        attend()
    }

    /// Lets the readers have what is here.
    private func trust() {
        hasAnswer = true
        asksForChange = false
        let keepsAll = shared.withState { $0.store.keepsAll }
        let length = known.length
        let information = ContentInformation(
            length: length, contentType: version.contentType,
            isSeekable: length != nil && (keepsAll || givesRanges == true), place: version.place)
        shared.update { state in
            state.isValidating = false
            state.information = information
            state.end = length == 0 ? nil : length
        }
        shared.tell(.information(information))
        tellProgress(at: .now, isComplete: isWhole)
    }

    /// Plays what is here when the server cannot be asked (RFC 9111, section 4.2.4); false when it must not be.
    func serveStale(_ reason: String) -> Bool {
        guard isValidating, version.freshness.mayServeStale else { return false }
        shared.note(.cache, "\(reason); what is here of it is played unasked")
        Log.warning("cache", "\(shared.url.masked) \(reason); what is here of it is played unasked")
        trust()
        attend()
        return true
    }

    /// The resource is another one by now: this answer begins it, where it can, if nothing was read yet; else what
    /// is here is played, and then it cannot go on. True when the answer's body is to come.
    func startOver(with head: ResponseHead, _ request: LoadingRequest) -> Bool {
        forget()
        shared.note(.cache, "another version by now: what is here is of no use")
        guard !shared.withState({ $0.hasGivenBytes }) else {
            verdict = { [self] in
                shared.tell(.replaced)
                fail(
                    PlaybackFailure(
                        .incomplete, "\(shared.url.masked) was replaced on its server while it was loaded."))
            }
            return false
        }
        reset()
        var asked = request
        asked.offset = 0
        guard Answer(head, to: asked, known: known) == .data(from: 0) else {
            verdict = { [self] in begin(at: 0) }
            return false
        }
        offset = 0
        skip = 0
        return accept(head, asked, from: 0)
    }

    /// Goes back to knowing nothing.
    private func reset() {
        known = Answer.Known()
        version = CachedVersion()
        hasAnswer = false
        asksForChange = false
        // A server that gave parts will give them of another version, too; one that did not may have learnt it.
        if givesRanges == false { givesRanges = nil }
        let store = MemoryWindow(limit: settings.windowBytes, retainedBytes: settings.retainedBytes)
        shared.withState { state in
            state.store = store
            state.isValidating = false
            state.information = nil
            state.end = nil
            state.next = 0
        }
    }

    /// Keeps nothing of it any more; what is here can still be read.
    private func forget() {
        let file = shared.withState { state in
            state.disk?.refuse()
            return state.disk?.file
        }
        if let file { shared.cache?.close(file, forgets: true) }
    }

    // MARK: Keeping

    /// Decides, by an accepted head, whether and as what the bytes are kept.
    func keep(_ head: ResponseHead) {
        asksForChange = false
        shared.withState { $0.isValidating = false }
        // What a folder holds is asked anew each time; what another origin gave for credentials of its own is not
        // in the name that it would be kept under.
        if folder == .asked || shared.description.credentials.hasOthers(for: current.origin) {
            cacheKey = nil
        }
        guard let cache = shared.cache, let cacheKey else { return }
        let hasStore = shared.withState { $0.disk != nil }
        version = CachedVersion(
            length: known.length, validator: known.validator,
            contentType: head.contentType ?? version.contentType, givesRanges: givesRanges,
            freshness: Freshness(head, asked: askedAt, received: Clocks.unixTime),
            place: ContentPlace(
                url: String(current.request.prefix { $0 != "?" }),
                mayLeadToThisMachine: place.mayLeadToThisMachine))
        if CacheDirectives(head["cache-control"] ?? "").has("no-store") {
            if hasStore { forget() }
            self.cacheKey = nil
        } else if hasStore {
            noteVersion()
        } else if !known.hasBytes {
            let store = makeStore()
            let number = store.number
            let version = version
            shared.withState { state in
                state.store = store
                state.version = version
            }
            cache.create(cacheKey, version) { [shared] file in shared.attach(file, toStore: number) }
        }
    }

    private func makeStore(_ cached: CachedResource? = nil) -> DiskStore {
        stores += 1
        return DiskStore(
            number: stores, memoryLimit: settings.windowBytes, retainedBytes: settings.retainedBytes,
            length: known.length, cached: cached)
    }

    /// The length is certain now.
    func noteLength(_ length: Int64) {
        shared.flush()
        guard version.length != length else { return }
        version.length = length
        noteVersion()
    }

    private func noteVersion() {
        let version = version
        let file = shared.withState { state in
            state.version = version
            return state.disk?.file
        }
        if let file { shared.cache?.note(version, in: file) }
    }

    // MARK: Planning

    /// True when all of it is here.
    var isWhole: Bool {
        guard let length = known.length else { return false }
        return shared.withState { $0.store.gap(from: 0, to: length) } == nil
    }

    /// Begins to load what is missing next, where nothing is under way.
    func plan() {
        guard transfer == nil, retryAt == nil, waiting == nil, verdict == nil, !isAskingName, !isOver,
            !known.isLive,
            hasAnswer,
            let length = known.length
        else { return }
        let gap = shared.withState { state -> Range<Int64>? in
            if let awaited = state.missing.first { return state.store.gap(from: awaited, to: length) }
            let fills = (settings.fills || state.isToBeKept) && !settings.isOffline
            guard state.store.keepsAll, fills else { return nil }
            let places = state.readers.map(\.position) + [0]
            let gaps = places.compactMap { [store = state.store] in store.gap(from: $0, to: length) }
            return gaps.first
        }
        if let gap { begin(at: gap.lowerBound) }
    }

    /// Loads as far ahead as throughput, silences and the reader's own pace ask for, where not all is loaded.
    func adaptReadAhead(at now: MonotonicTime) {
        guard !settings.fills, !known.isLive else { return }
        guard !shared.withState({ $0.isToBeKept }) else {
            shared.withState { $0.aheadLimit = nil }
            return
        }
        let read = shared.withState { $0.readBytes }
        if let before = lastRead, now - before.time > .seconds(1) {
            let pace = Double(read - before.bytes) / (now - before.time).inSeconds
            readerPace = readerPace.map { $0 + (pace - $0) * 0.3 } ?? pace
            lastRead = (read, now)
        } else if lastRead == nil {
            lastRead = (read, now)
        }
        // Twenty seconds, and what was lost in the longest silence four times over.
        let seconds = 20 + 4 * meter.longestGap
        let bytes = Int64(min(16_777_216, max(262_144, (readerPace ?? 0) * seconds)))
        shared.withState { $0.aheadLimit = bytes }
    }

    /// Where what is missing at an offset ends, if that is worth ending a request for.
    func endOfGap(at offset: Int64) -> Int64? {
        guard let length = known.length, givesRanges == true else { return nil }
        return shared.withState { state in
            guard state.store.keepsAll, let gap = state.store.gap(from: offset, to: length),
                gap.upperBound < length,
                state.store.available(from: gap.upperBound) >= max(65_536, nearBytes)
            else { return nil }
            return gap.upperBound
        }
    }

    /// True when the transfer would only bring what is here already.
    var isGapFilled: Bool {
        guard !known.isLive, skip == 0 else { return false }
        return shared.withState { state in
            state.store.keepsAll && state.store.available(from: offset) >= max(65_536, nearBytes)
        }
    }

    /// The byte that a transfer was to bring soon is still not here: it is asked for.
    func endWait() {
        waitEnd = nil
        let awaited = shared.withState { $0.missing }.first { [offset] in $0 != offset }
        if let awaited, transfer != nil { begin(at: awaited) }
    }

    // MARK: A disk that hangs

    /// When a disk that takes or gives nothing is given up; nil while none is waited for.
    var diskDeadline: MonotonicTime? {
        shared.withState { state in
            let taking = state.isHeldBack ? state.disk?.waitingSince.map { $0 + settings.diskTimeout } : nil
            let giving = state.diskSince.map { $0 + settings.lookupTimeout }
            return [taking, giving].compactMap(\.self).min()
        }
    }

    /// The disk hangs: what arrives stays in memory from now on, what it does not give is fetched.
    func giveUpDisk() {
        let givesNothing = shared.withState { $0.diskSince != nil }
        Log.warning(
            "cache",
            "the cache's disk \(givesNothing ? "gives" : "takes") nothing; \(shared.url.masked) is not kept "
                + "any further")
        shared.cache?.noteSilence()
        shared.update { state in
            if givesNothing { state.disk?.forgetDisk() } else { state.disk?.refuse() }
            for index in state.readers.indices { state.readers[index].goOn() }
        }
        attend()
    }

    func failOffline() {
        fail(
            PlaybackFailure(
                .offline,
                "\(shared.url.masked) is not here, or not all of it, and the daemon is set to play offline."))
    }
}
