package import Base

/// The entries in their order, and which of them is the current one; a value, without playback.
///
/// Every change is all or nothing and raises the revision. Entries are found by id in O(1), by index in O(1);
/// an id's index costs a scan of the order (8 bytes an entry), inserting and removing a move of its tail.
package struct Queue {
    /// The most entries there can be.
    package let limit: Int
    /// Counts changes of the entries; the current index does not count.
    package private(set) var revision: Int64 = 0
    /// The current entry's index; nil only when there are no entries.
    package private(set) var index: Int?
    /// The id that the next new entry gets.
    package private(set) var nextID: Int64

    private var order: [Int64] = []
    private var entries: [Int64: QueueEntry] = [:]

    /// Creates an empty queue whose ids begin with `firstID`.
    package init(firstID: Int64 = 1, limit: Int = 100_000) {
        nextID = firstID
        self.limit = limit
    }

    // MARK: Reading

    package var count: Int { order.count }

    /// All ids in order.
    package var ids: [Int64] { order }

    package var current: QueueEntry? { index.flatMap { entries[order[$0]] } }

    /// The entry of that id; nil when there is none.
    package subscript(id: Int64) -> QueueEntry? { entries[id] }

    /// The entry at an index; nil outside the queue.
    package func entry(at index: Int) -> QueueEntry? {
        order.indices.contains(index) ? entries[order[index]] : nil
    }

    /// Where that entry is; nil when there is none. O(n).
    package func index(of id: Int64) -> Int? { entries[id] == nil ? nil : order.firstIndex(of: id) }

    /// A part of the queue. Throws invalid_params for negative numbers.
    package func page(offset: Int, limit: Int) throws(CommandFailure) -> QueuePage {
        guard offset >= 0 else { throw CommandFailure(.invalidParams, "offset is \(offset), below 0.") }
        guard limit >= 0 else { throw CommandFailure(.invalidParams, "limit is \(limit), below 0.") }
        let ids = order.dropFirst(offset).prefix(min(limit, Self.longestPage))
        return QueuePage(queueRevision: revision, total: count, entries: ids.compactMap { entries[$0] })
    }

    /// The most entries in one page, about 1 MB of JSON.
    package static let longestPage = 5_000

    /// Throws invalid_state when a revision is given and is not the queue's.
    package func expect(_ revision: Int64?) throws(CommandFailure) {
        guard let revision, revision != self.revision else { return }
        throw CommandFailure(
            .invalidState, "The queue is at revision \(self.revision), not at \(revision) as ifRevision says."
        )
    }

    // MARK: Changing

    /// Makes an entry the current one; an index outside the queue is ignored.
    package mutating func select(_ index: Int) {
        if order.indices.contains(index) { self.index = index }
    }

    /// Changes what is known of an entry; counts as a change only when something differs.
    package mutating func update(_ id: Int64, _ change: (inout QueueEntry) -> Void) {
        guard let old = entries[id] else { return }
        var new = old
        change(&new)
        guard new != old else { return }
        entries[id] = new
        revision += 1
    }

    /// Inserts items before an index (nil or past the end appends) and returns their ids.
    ///
    /// Throws invalid_params, unsupported or limit, and has changed nothing then.
    package mutating func insert(_ items: [NewEntry], at position: Int?) throws(CommandFailure) -> [Int64] {
        if let position, position < 0 {
            throw CommandFailure(.invalidParams, "at is \(position), below 0.")
        }
        try checkAddition(of: items, replacing: 0)
        guard !items.isEmpty else { return [] }
        let ids = items.map { makeEntry($0) }
        let position = min(position ?? count, count)
        order.insert(contentsOf: ids, at: position)
        if let index { self.index = index >= position ? index + ids.count : index } else { index = 0 }
        revision += 1
        return ids
    }

    /// Puts an item in the current entry's place, or as the only one into an empty queue; returns its id.
    package mutating func replaceCurrent(_ item: NewEntry) throws(CommandFailure) -> Int64 {
        try checkAddition(of: [item], replacing: index == nil ? 0 : 1)
        let id = makeEntry(item)
        if let index {
            entries[order[index]] = nil
            order[index] = id
        } else {
            order = [id]
            index = 0
        }
        revision += 1
        return id
    }

    /// Makes the queue these items, the first of them current; returns their ids.
    package mutating func replaceAll(_ items: [NewEntry]) throws(CommandFailure) -> [Int64] {
        try checkAddition(of: items, replacing: count)
        clear()
        return try insert(items, at: 0)
    }

    /// What became of the current entry when others were removed.
    package enum Removal: Equatable, Sendable {
        case currentStays
        /// The successor of a removed current entry is the current one now.
        case successor
        /// The current entry was removed and nothing followed it: the first one is current, if there is one.
        case pastEnd
    }

    /// Removes entries. Throws not_found when one of them is not there, and has changed nothing then.
    package mutating func remove(_ ids: [Int64]) throws(CommandFailure) -> Removal {
        try checkPresence(of: ids)
        guard !ids.isEmpty else { return .currentStays }
        revision += 1
        return ids.count == 1 ? removeOne(ids[0]) : removeMany(Set(ids))
    }

    /// Moves entries, in the order given, so that the first of them gets the index `to`, clamped.
    ///
    /// Throws not_found when one is not there, invalid_params when one is named twice.
    package mutating func move(_ ids: [Int64], to: Int) throws(CommandFailure) {
        try checkPresence(of: ids)
        let moved = Set(ids)
        guard moved.count == ids.count else {
            throw CommandFailure(.invalidParams, "ids names an entry twice.")
        }
        guard !ids.isEmpty else { return }
        let currentID = current?.id
        var rest = order
        if ids.count == 1 {
            rest.removeAll { $0 == ids[0] }
        } else {
            rest.removeAll { moved.contains($0) }
        }
        rest.insert(contentsOf: ids, at: max(0, min(to, rest.count)))
        guard rest != order else { return }
        order = rest
        index = currentID.flatMap { order.firstIndex(of: $0) }
        revision += 1
    }

    /// Removes all entries.
    package mutating func clear() {
        guard count > 0 else { return }
        order = []
        entries = [:]
        index = nil
        revision += 1
    }

    // MARK: Steps

    private mutating func makeEntry(_ item: NewEntry) -> Int64 {
        let id = nextID
        nextID += 1
        entries[id] = QueueEntry(id: id, item)
        return id
    }

    private mutating func removeOne(_ id: Int64) -> Removal {
        guard let position = order.firstIndex(of: id), let index else { return .currentStays }
        order.remove(at: position)
        entries[id] = nil
        if position < index { self.index = index - 1 }
        return position == index ? settle(on: index) : .currentStays
    }

    private mutating func removeMany(_ ids: Set<Int64>) -> Removal {
        guard let index else { return .currentStays }
        let isCurrentRemoved = ids.contains(order[index])
        let kept = order[..<index].reduce(0) { ids.contains($1) ? $0 : $0 + 1 }
        order.removeAll { ids.contains($0) }
        for id in ids { entries[id] = nil }
        self.index = kept
        return isCurrentRemoved ? settle(on: kept) : .currentStays
    }

    /// The current entry was removed; what lay behind it now has its index.
    private mutating func settle(on index: Int) -> Removal {
        let hasSuccessor = index < count
        self.index = hasSuccessor ? index : (count > 0 ? 0 : nil)
        return hasSuccessor ? .successor : .pastEnd
    }

    private func checkPresence(of ids: [Int64]) throws(CommandFailure) {
        for id in ids where entries[id] == nil {
            throw CommandFailure(.notFound, "There is no entry \(id) in the queue.")
        }
    }

    private func checkAddition(of items: [NewEntry], replacing replaced: Int) throws(CommandFailure) {
        for item in items { try item.check() }
        guard count - replaced + items.count <= limit else {
            throw CommandFailure(
                .limit, "The queue holds \(count) entries; \(items.count) more would exceed its \(limit).")
        }
    }
}
