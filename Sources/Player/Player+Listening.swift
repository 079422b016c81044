extension Player {
    /// What of the store is open, and how far it was heard; nil for anything else.
    package var listening: (storeID: Int64, seconds: Double, duration: Double?, isPlaying: Bool)? {
        guard let item, let storeID = item.storeID, item.wasHeard else { return nil }
        return (storeID, position, item.duration, machine.phase == .playing)
    }

    /// True when the current item was begun and is at its start.
    package var isAtStart: Bool { item != nil && interlude == nil && position < Self.restartAfter }

    /// Where an entry begins, in seconds: an item of the store goes on where it was left.
    func start(of entry: QueueEntry?) -> Double {
        guard interlude == nil, let storeID = entry?.storeID else { return 0 }
        return max(0, listeningMemory?.start(of: storeID) ?? 0)
    }

    /// What is open is about to be left; told once, whoever else says so before it is gone.
    func noteLeaving() {
        guard let item, let storeID = item.storeID, item.wasHeard else { return }
        self.item?.storeID = nil
        listeningMemory?.left(storeID, at: position, duration: item.duration)
    }

    /// What is open was heard to its end.
    func noteHeardToEnd() {
        guard let storeID = item?.storeID else { return }
        item?.storeID = nil
        listeningMemory?.heardToEnd(storeID)
    }
}
