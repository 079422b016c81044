/// An order of chance in which every entry comes once a round; kept, so that there is a way back along it.
///
/// The rounds before and after are known too, as soon as the way leads there. Knows ids only.
package struct ShuffledRound: Equatable, Sendable {
    /// The ids of this round in the order of playing.
    package private(set) var ids: [Int64] { didSet { version &+= 1 } }
    /// Another one after each change of the ids.
    package private(set) var version: UInt64
    /// The current entry's place among them; `ids.count` when it was removed and was the last.
    package private(set) var place: Int
    private var earlier: [Int64] = []
    private var later: [Int64] = []

    /// Begins a round with `first`, which must be among the ids, if it is given.
    init(_ ids: some Sequence<Int64>, first: Int64?, using random: inout SplitMix) {
        version = random.next()
        self.ids = Array(ids)
        place = 0
        self.ids.shuffle(using: &random)
        if let first, let place = self.ids.firstIndex(of: first) { self.ids.swapAt(0, place) }
    }

    /// Takes up a round that was saved: what is not in the queue any more is left out, what is new is yet to come.
    init(resuming saved: [Int64], present: [Int64], current: Int64?, using random: inout SplitMix) {
        version = random.next()
        let there = Set(present)
        var seen: Set<Int64> = []
        ids = saved.filter { there.contains($0) && seen.insert($0).inserted }
        place = 0
        if let current, seen.insert(current).inserted { ids.insert(current, at: 0) }
        if let current, let found = ids.firstIndex(of: current) { place = found }
        insert(present.filter { !seen.contains($0) }, isNext: false, using: &random)
    }

    /// The entry that has its turn.
    package var current: Int64? { ids.indices.contains(place) ? ids[place] : nil }

    /// The entry after the current one; with `wrapping` the first of the round to come after the last.
    mutating func next(wrapping: Bool, using random: inout SplitMix) -> Int64? {
        if place + 1 < ids.count { return ids[place + 1] }
        guard wrapping, !ids.isEmpty else { return nil }
        if later.isEmpty { later = newRound(after: ids.last, using: &random) }
        return later.first
    }

    /// Goes to the next entry; false at the end of the last round.
    mutating func advance(wrapping: Bool, using random: inout SplitMix) -> Bool {
        guard next(wrapping: wrapping, using: &random) != nil else { return false }
        place += 1
        if place >= ids.count { beginLater() }
        return true
    }

    /// After the current entry was removed: its successor has its place; false at the end of the last round.
    mutating func settle(wrapping: Bool, using random: inout SplitMix) -> Bool {
        if place < ids.count { return true }
        guard wrapping, !ids.isEmpty else { return false }
        if later.isEmpty { later = newRound(after: nil, using: &random) }
        beginLater()
        return true
    }

    /// Goes to the entry before; false at the beginning of the first round.
    mutating func goBack(wrapping: Bool, using random: inout SplitMix) -> Bool {
        if place > 0 {
            place -= 1
            return true
        }
        guard wrapping, !ids.isEmpty else { return false }
        if earlier.isEmpty { earlier = newRound(before: ids.first, using: &random) }
        later = ids
        ids = earlier
        earlier = []
        place = ids.count - 1
        return true
    }

    /// The user chose an entry: it comes right after the current one, and is the current one now.
    mutating func jump(to id: Int64) {
        guard id != current, let from = ids.firstIndex(of: id) else { return }
        ids.remove(at: from)
        if from < place { place -= 1 }
        place = min(place + 1, ids.count)
        ids.insert(id, at: place)
    }

    /// Adds entries: next, in their order, or anywhere in what is yet to come.
    mutating func insert(_ new: [Int64], isNext: Bool, using random: inout SplitMix) {
        later = []
        // The way back leads over what was heard, and stays; but every entry is in every round.
        if !earlier.isEmpty { earlier.insert(contentsOf: new, at: 0) }
        if ids.isEmpty {
            ids = isNext ? new : new.shuffled(using: &random)
        } else if isNext {
            ids.insert(contentsOf: new, at: min(place + 1, ids.count))
        } else if new.count == 1 {
            let first = min(place + 1, ids.count)
            ids.insert(new[0], at: Int.random(in: first...ids.count, using: &random))
        } else {
            merge(new.shuffled(using: &random), using: &random)
        }
    }

    /// Removes an entry; the place of a removed current one is its successor's.
    mutating func remove(_ id: Int64) {
        earlier.removeAll { $0 == id }
        later.removeAll { $0 == id }
        guard let at = ids.firstIndex(of: id) else { return }
        ids.remove(at: at)
        if at < place { place -= 1 }
    }

    /// Removes many entries.
    mutating func remove(_ gone: Set<Int64>) {
        earlier.removeAll { gone.contains($0) }
        later.removeAll { gone.contains($0) }
        place -= ids[..<min(place, ids.count)].count { gone.contains($0) }
        ids.removeAll { gone.contains($0) }
    }

    /// Puts another entry in an entry's place.
    mutating func replace(_ old: Int64, with new: Int64) {
        (earlier, later) = ([], [])
        if let at = ids.firstIndex(of: old) { ids[at] = new }
    }

    // MARK: Steps

    private mutating func beginLater() {
        earlier = ids
        ids = later
        later = []
        place = 0
    }

    /// Each order of what was to come and of what is new is as likely as any other; the former keeps its own.
    private mutating func merge(_ new: [Int64], using random: inout SplitMix) {
        var (old, new) = (ids[min(place + 1, ids.count)...], new[...])
        var merged: [Int64] = []
        merged.reserveCapacity(old.count + new.count)
        while let a = old.first, let b = new.first {
            if Int.random(in: 0..<(old.count + new.count), using: &random) < old.count {
                merged.append(a)
                old.removeFirst()
            } else {
                merged.append(b)
                new.removeFirst()
            }
        }
        ids.replaceSubrange(min(place + 1, ids.count)..., with: merged + old + new)
    }

    /// A round that does not begin with what was heard last.
    private func newRound(after last: Int64?, using random: inout SplitMix) -> [Int64] {
        var round = ids.shuffled(using: &random)
        if round.count > 1, round.first == last {
            round.swapAt(0, Int.random(in: 1..<round.count, using: &random))
        }
        return round
    }

    /// A round that does not end with what was heard first.
    private func newRound(before first: Int64?, using random: inout SplitMix) -> [Int64] {
        newRound(after: first, using: &random).reversed()
    }
}
