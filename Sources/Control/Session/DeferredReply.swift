import Base

/// The answer to one line of which at least a part comes later.
final class DeferredReply {
    let slot: SessionOutput.Slot
    private let isBatch: Bool
    private var parts: [JSONText?]
    private var missing: Int

    /// `parts`: the answers in order, nil for those that are still to come.
    init(_ slot: SessionOutput.Slot, _ parts: [JSONText?], isBatch: Bool) {
        self.slot = slot
        self.parts = parts
        self.isBatch = isBatch
        missing = parts.count { $0 == nil }
    }

    /// Takes a part; returns the whole answer with the last one.
    func fill(_ index: Int, _ text: JSONText) -> JSONText? {
        guard parts.indices.contains(index), parts[index] == nil else { return nil }
        parts[index] = text
        missing -= 1
        guard missing == 0 else { return nil }
        return isBatch ? JSONText(parts.compactMap { $0 }) : text
    }
}
