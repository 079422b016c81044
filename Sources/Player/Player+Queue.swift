package import Base

extension Player {
    /// Makes the queue this one item and plays it, if asked; returns its id.
    package func open(_ item: NewEntry, play: Bool = true) throws(CommandFailure) -> [Int64] {
        let ids = try queue.replaceAll([item])
        if play { interruptAnnouncements() }
        noteStart()
        if play { load() } else { finish() }
        if play { send(.play) }
        readPlaylists(ids)
        publish()
        return ids
    }

    /// Adds items before `at` (nil or past the end appends), plays the first of them, if asked; returns their ids.
    package func add(_ items: [NewEntry], at: Int? = nil, play: Bool = false, ifRevision: Int64? = nil)
        throws(CommandFailure) -> [Int64]
    {
        try queue.expect(ifRevision)
        let position = min(at ?? queue.count, queue.count)
        let ids = try queue.insert(items, at: at)
        if play, !ids.isEmpty {
            interruptAnnouncements()
            noteStart()
            go(to: position)
            send(.play)
        }
        readPlaylists(ids, of: items)
        publish()
        return ids
    }

    /// Adds items behind the current one; returns their ids.
    package func insertNext(_ items: [NewEntry], ifRevision: Int64? = nil) throws(CommandFailure) -> [Int64] {
        try queue.expect(ifRevision)
        let ids = try queue.insert(
            items, at: queue.index.map { $0 + 1 } ?? 0, isNext: true)
        readPlaylists(ids, of: items)
        publish()
        return ids
    }

    /// Puts an item in the current one's place; returns its id.
    package func replaceCurrent(_ item: NewEntry) throws(CommandFailure) -> [Int64] {
        let id = try queue.replaceCurrent(item)
        noteStart()
        load()
        readPlaylists([id])
        publish()
        return [id]
    }

    /// Removes entries; if the current one is among them and played, its successor plays.
    package func remove(_ ids: [Int64], ifRevision: Int64? = nil) throws(CommandFailure) {
        try queue.expect(ifRevision)
        switch try queue.remove(ids) {
        case .currentStays: break
        case .successor: load()
        case .pastEnd: finish()
        }
        publish()
    }

    /// Moves entries so that the first of them gets the index `to`, clamped.
    package func move(_ ids: [Int64], to: Int, ifRevision: Int64? = nil) throws(CommandFailure) {
        try queue.expect(ifRevision)
        try queue.move(ids, to: to)
        publish()
    }

    /// Brings the entries into an order of chance, the current one first; what plays goes on.
    package func shuffleQueue(ifRevision: Int64? = nil) throws(CommandFailure) {
        try queue.expect(ifRevision)
        queue.shuffle()
        publish()
    }

    /// Removes all entries and stops.
    package func clear(ifRevision: Int64? = nil) throws(CommandFailure) {
        try queue.expect(ifRevision)
        queue.clear()
        finish()
        publish()
    }

    /// The URL that a question without one is about: while stopped by a failure what failed, else the current one.
    package var subject: String? {
        let failed = properties.error.value?.url
        return machine.wish == .stopped ? failed ?? queue.current?.url : queue.current?.url ?? failed
    }

    /// A part of the queue. Throws invalid_params for negative numbers.
    package func list(offset: Int = 0, limit: Int = 500) throws(CommandFailure) -> QueuePage {
        try queue.page(offset: offset, limit: limit)
    }
}
