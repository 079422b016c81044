import Base

/// The readers of a resource: each has its own place, all have what any of them caused to be fetched.
extension SharedResource {
    // MARK: Coming and going

    /// Takes a reader, unless this resource cannot serve one more as well as one of its own could.
    func join(_ reader: Reader, isFirst: Bool = false) -> Bool {
        withState { state in
            guard isFirst || state.canBeJoined(windowBytes: settings.windowBytes) else { return false }
            state.readers.append(reader)
            reader.home.move(to: self)
            return true
        }
    }

    /// Lets a reader go; the others and what is on its way stay.
    func leave(_ home: Reader.Home) {
        let reader = withState { state -> Reader? in
            guard let index = state.readers.firstIndex(where: { $0.home === home }) else { return nil }
            if state.readers.count == 1 { state.store.close() }
            return state.readers.remove(at: index)
        }
        guard let reader else { return }
        reader.wakePoint?.signal()
        attend()
    }

    /// Gives each reader but the first a resource of its own; they must not have read anything. Those who wanted it
    /// to be kept get none.
    func part() {
        refuseToKeep()
        let others = withState { state -> [SharedResource] in
            let parting = state.readers.dropFirst()
            state.readers.removeLast(parting.count)
            return parting.map { reader in
                let other = SharedResource(description, settings: settings, door: door)
                _ = other.join(reader, isFirst: true)
                return other
            }
        }
        for other in others {
            other.lookUp()
            other.attend()
        }
        if withState({ $0.readers.isEmpty }) { attend() }
    }

    /// Lets those go who wanted it to be kept, which it cannot be.
    private func refuseToKeep() {
        let (refused, isLive) = withState { state in
            let refused = state.readers.filter { $0.purpose != .reading }
            state.readers.removeAll { $0.purpose != .reading }
            return (refused, state.information?.isLive == true)
        }
        let failure = PlaybackFailure(
            isLive ? .unsupportedFormat : .denied,
            isLive
                ? "\(url.masked) has no end, so it cannot be kept."
                : "\(url.masked) cannot be kept: its server forbids it, or the cache takes nothing.")
        for reader in refused where reader.purpose == .keeping { reader.events(.failed(failure)) }
    }

    // MARK: For a reader

    /// Runs `body` on the state and the reader's own part of it; nil when the reader is not here any more.
    func withReader<Result: Sendable>(_ home: Reader.Home, _ body: (inout State, inout Reader) -> Result)
        -> Result?
    {
        withState { state in
            guard let index = state.readers.firstIndex(where: { $0.home === home }) else { return nil }
            // Taken out meanwhile, so that both can be changed; nobody else looks.
            var reader = state.readers[index]
            defer { state.readers[index] = reader }
            return body(&state, &reader)
        }
    }

    /// Wakes one reader.
    func wake(_ home: Reader.Home) {
        withReader(home) { $1.wakePoint }??.signal()
    }

    // MARK: For the loader's thread

    /// Tells all readers.
    func tell(_ event: SourceEvent) {
        for reader in withState({ $0.readers }) { reader.events(event) }
    }

    /// Tells the failure to each reader that came upon it, once.
    func tellFailure() {
        let (failure, readers) = withState { state -> (PlaybackFailure?, [Reader]) in
            guard let failure = state.failure else { return (nil, []) }
            let readers = state.readers.filter { $0.sawFailure && !$0.isFailureTold }
            for index in state.readers.indices where state.readers[index].sawFailure {
                state.readers[index].isFailureTold = true
            }
            return (failure, readers)
        }
        guard let failure else { return }
        for reader in readers { reader.events(.failed(failure)) }
    }

    /// Tells those who came later what the others know; `events` are made when there is anybody to tell.
    func greet(_ events: () -> [SourceEvent]) {
        let late = withState { state in
            let late = state.readers.filter { !$0.isGreeted }
            for index in state.readers.indices { state.readers[index].isGreeted = true }
            return late
        }
        guard !late.isEmpty else { return }
        for event in events() { for reader in late { reader.events(event) } }
    }

    /// Wakes readers whose bytes are here.
    func wakeServed() {
        for point in withState({ $0.takeServed() }) { point.signal() }
    }
}

extension SharedResource.State {
    /// True when one more reader costs less here than alone. `windowBytes` is what memory can hold of a resource.
    func canBeJoined(windowBytes: Int) -> Bool {
        guard !readers.isEmpty, failure == nil else { return false }
        guard let information else { return true }
        guard !information.isLive else { return false }
        guard store.keepsAll else { return (end ?? .max) <= Int64(windowBytes) }
        // What is here to its end costs one question at most, and it is time for that.
        let isWhole = end.map { store.gap(from: 0, to: $0) == nil } ?? false
        return !isWhole || version?.freshness.isFresh(at: Clocks.unixTime) == true
    }

    /// Where the bytes matter most: at the reader that waits, else at the one that is the least far.
    var position: Int64 {
        var (least, waiting) = (Int64.max, Int64.max)
        for reader in readers {
            least = min(least, reader.position)
            if reader.awaited != nil { waiting = min(waiting, reader.position) }
        }
        return waiting < .max ? waiting : least < .max ? least : 0
    }

    /// What readers wait for and what is not here, who waits longest first. Beyond the end there is nothing.
    var missing: [Int64] {
        readers.filter { $0.awaited != nil }.sorted { $0.awaitedSince < $1.awaitedSince }
            .compactMap { $0.awaited }.filter { store.available(from: $0) == 0 && $0 < end ?? .max }
    }

    /// True while somebody wants all of it to be here.
    var isToBeKept: Bool { readers.contains { $0.purpose == .keeping } }

    /// Since when the reader that waits for the disk for longest does so; nil when none does.
    var diskSince: MonotonicTime? { readers.compactMap(\.diskSince).min() }

    /// The points of readers whose bytes are here, who do not wait any more.
    mutating func takeServed() -> [WakePoint] {
        guard !isValidating else { return [] }
        var points: [WakePoint] = []
        for index in readers.indices {
            guard let awaited = readers[index].awaited, store.available(from: awaited) > 0 else { continue }
            readers[index].stopWaiting()
            if let point = readers[index].wakePoint { points.append(point) }
        }
        return points
    }
}
