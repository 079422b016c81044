extension Queue {
    /// Why the current entry is left.
    package enum Leaving: Equatable, Sendable {
        /// It was heard to its end.
        case heard
        /// The user wants the next one.
        case skipped
        /// It cannot be played.
        case failed
    }

    /// Sets what comes after what; beginning to shuffle begins a round with the current entry.
    package mutating func setModes(_ new: QueueModes) {
        let old = modes
        modes = new
        if new.isShuffled != old.isShuffled {
            if new.isShuffled { beginRound() } else { round = nil }
        }
    }

    /// Makes an entry the current one; an index outside the queue is ignored.
    package mutating func select(_ index: Int) {
        guard order.indices.contains(index) else { return }
        self.index = index
        round?.jump(to: order[index])
    }

    /// Past either end: the first entry is the current one, and begins a new round.
    package mutating func rewind() {
        index = order.isEmpty ? nil : 0
        if round != nil { beginRound() }
    }

    /// The id of the entry that follows by itself when the current one was heard; nil at the end.
    package mutating func follower() -> Int64? {
        guard let index else { return nil }
        if modes.repeats == .one { return order[index] }
        let isWrapping = modes.repeats == .all
        if round != nil {
            if modes.isConsuming, count == 1 { return nil }
            return round?.next(wrapping: isWrapping, using: &random)
        }
        if index + 1 < count { return order[index + 1] }
        return isWrapping && !(modes.isConsuming && count == 1) ? order[0] : nil
    }

    /// Leaves the current entry for the next one; false past the end, where nothing was changed but that a
    /// consumed entry is gone.
    package mutating func moveOn(_ leaving: Leaving) -> Bool {
        guard let index else { return false }
        if modes.repeats == .one, leaving == .heard { return true }
        if modes.isConsuming, leaving != .failed { return removeOne(order[index]) == .successor }
        let isWrapping = modes.repeats != .off
        if round != nil {
            guard round?.advance(wrapping: isWrapping, using: &random) == true else { return false }
            self.index = round?.current.flatMap { self.index(of: $0) } ?? index
            return true
        }
        if index + 1 < count {
            self.index = index + 1
        } else {
            guard isWrapping else { return false }
            self.index = 0
        }
        return true
    }

    /// The prepared entry is heard: normally the one that follows. False when it is gone.
    package mutating func follow(_ id: Int64) -> Bool {
        if follower() == id { return moveOn(.heard) }
        guard let index = index(of: id) else { return false }
        select(index)
        return true
    }

    /// Goes back to the entry before; false at the beginning.
    package mutating func moveBack() -> Bool {
        guard let index else { return false }
        let isWrapping = modes.repeats != .off
        if round != nil {
            guard round?.goBack(wrapping: isWrapping, using: &random) == true else { return false }
            self.index = round?.current.flatMap { self.index(of: $0) } ?? index
            return true
        }
        if index > 0 {
            self.index = index - 1
        } else {
            guard isWrapping else { return false }
            self.index = count - 1
        }
        return true
    }

    /// Begins a round of chance with the current entry.
    mutating func beginRound() {
        guard modes.isShuffled else { return }
        round = ShuffledRound(order, first: current?.id, using: &random)
    }
}
