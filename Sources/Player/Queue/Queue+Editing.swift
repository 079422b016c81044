package import Base

extension Queue {
    /// Changes what is known of an entry; counts as a change only when something differs.
    package mutating func update(_ id: Int64, _ change: (inout QueueEntry) -> Void) {
        guard let old = entries[id] else { return }
        var new = old
        change(&new)
        guard new != old else { return }
        entries[id] = new
        note(.update(new))
    }

    /// Inserts items before an index (nil or past the end appends) and returns their ids; `isNext`: they are
    /// heard next, also while shuffled.
    ///
    /// Throws invalid_params, unsupported or limit, and has changed nothing then.
    package mutating func insert(_ items: [NewEntry], at position: Int?, isNext: Bool = false)
        throws(CommandFailure) -> [Int64]
    {
        if let position, position < 0 {
            throw CommandFailure(.invalidParams, "at is \(position), below 0.")
        }
        try checkAddition(of: items, replacing: 0)
        guard !items.isEmpty else { return [] }
        let position = min(position ?? count, count)
        let ids = put(items, at: position)
        if let index { self.index = index >= position ? index + ids.count : index } else { index = 0 }
        round?.insert(ids, isNext: isNext, using: &random)
        if count == ids.count { beginRound() }
        return ids
    }

    /// Puts an item in the current entry's place, or as the only one into an empty queue; returns its id.
    package mutating func replaceCurrent(_ item: NewEntry) throws(CommandFailure) -> Int64 {
        guard let current else { return try insert([item], at: nil)[0] }
        return try replace(current.id, with: [item])[0]
    }

    /// Puts items in an entry's place, the first of them as the current one if it was; returns their ids.
    ///
    /// With no items the entry is removed; `areChecked` when `check()` was called on each. Throws not_found, and
    /// what an insertion throws.
    package mutating func replace(_ id: Int64, with items: [NewEntry], areChecked: Bool = false)
        throws(CommandFailure) -> [Int64]
    {
        guard let position = index(of: id) else { throw Self.noEntry(id) }
        if items.isEmpty {
            _ = try remove([id])
            return []
        }
        if !areChecked { try check(items) }
        try checkRoom(for: items.count, replacing: 1)
        order.remove(at: position)
        entries[id] = nil
        note(.remove([id]))
        let ids = put(items, at: position)
        if let index, index > position { self.index = index + ids.count - 1 }
        round?.replace(id, with: ids[0])
        if ids.count > 1 { round?.insert(Array(ids.dropFirst()), isNext: false, using: &random) }
        return ids
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
        return ids.count == 1 ? removeOne(ids[0]) : removeMany(ids)
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
        let place = max(0, min(to, rest.count))
        rest.insert(contentsOf: ids, at: place)
        guard rest != order else { return }
        order = rest
        index = currentID.flatMap { index(of: $0) }
        note(.move(ids, to: place))
    }

    /// Brings the entries into an order of chance, the current one first.
    package mutating func shuffle() {
        guard count > 1 else { return }
        let currentID = current?.id
        order.shuffle(using: &random)
        if let currentID, let at = index(of: currentID) { order.swapAt(0, at) }
        index = 0
        note(.reorder(order))
    }

    /// Removes all entries.
    package mutating func clear() {
        guard count > 0 else { return }
        order = []
        entries.removeAll()
        index = nil
        if round != nil { beginRound() }
        note(.clear)
    }

    // MARK: Steps

    private mutating func put(_ items: [NewEntry], at position: Int) -> [Int64] {
        let new = items.map { item in
            defer { nextID += 1 }
            return QueueEntry(id: nextID, item)
        }
        entries.add(new)
        let ids = new.map(\.id)
        order.insert(contentsOf: ids, at: position)
        note(.insert(new, at: position))
        return ids
    }

    mutating func removeOne(_ id: Int64) -> Removal {
        guard let position = index(of: id), let index else { return .currentStays }
        order.remove(at: position)
        entries[id] = nil
        round?.remove(id)
        note(.remove([id]))
        if position < index { self.index = index - 1 }
        return position == index ? settle(on: index) : .currentStays
    }

    private mutating func removeMany(_ ids: [Int64]) -> Removal {
        guard let index else { return .currentStays }
        let gone = Set(ids)
        let isCurrentRemoved = gone.contains(order[index])
        let kept = order[..<index].reduce(0) { gone.contains($1) ? $0 : $0 + 1 }
        order.removeAll { gone.contains($0) }
        for id in gone { entries[id] = nil }
        round?.remove(gone)
        note(.remove(ids))
        self.index = kept
        return isCurrentRemoved ? settle(on: kept) : .currentStays
    }

    /// The current entry was removed; what lay behind it now has its index.
    private mutating func settle(on index: Int) -> Removal {
        guard count > 0 else {
            self.index = nil
            if round != nil { beginRound() }
            return .pastEnd
        }
        let isWrapping = modes.repeats != .off
        var successor = index < count ? index : isWrapping ? 0 : nil
        if round != nil {
            let hasOne = round?.settle(wrapping: isWrapping, using: &random) ?? false
            successor = hasOne ? round?.current.flatMap { self.index(of: $0) } : nil
        }
        guard let successor else {
            rewind()
            return .pastEnd
        }
        self.index = successor
        return .successor
    }

    private func checkPresence(of ids: [Int64]) throws(CommandFailure) {
        for id in ids where !entries.contains(id) { throw Self.noEntry(id) }
    }

    private static func noEntry(_ id: Int64) -> CommandFailure {
        CommandFailure(.notFound, "There is no entry \(id) in the queue.")
    }

    private func checkAddition(of items: [NewEntry], replacing replaced: Int) throws(CommandFailure) {
        try check(items)
        try checkRoom(for: items.count, replacing: replaced)
    }

    private func check(_ items: [NewEntry]) throws(CommandFailure) {
        for item in items { try item.check() }
    }

    private func checkRoom(for added: Int, replacing replaced: Int) throws(CommandFailure) {
        guard count - replaced + added <= limit else {
            throw CommandFailure(
                .limit, "The queue holds \(count) entries; \(added) more would exceed its \(limit).")
        }
    }
}
