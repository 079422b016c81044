import Store

/// What of a source is downloaded by itself, when, and how long it stays. Pure.
///
/// Of the newest items those count that meet all that is set. An item that was deleted by hand is never fetched, and
/// what somebody asked for by hand is never removed.
struct DownloadRules: Equatable, Sendable {
    /// How many of the newest; nil for all.
    var newest: Int?
    /// Not older than so many days; nil for any.
    var days: Int?
    /// Only what was not heard, and until it was.
    var untilHeard = false
    /// When it is fetched; nil for always.
    var hours: DownloadHours?
    /// Bytes that all of it together may take; nil for any number.
    var bytes: Int64?

    /// Items of one source that a rule fetches at most, whatever it says.
    static let most = 1_000
    /// Unix time: a clock that shows less was never set, and nothing can be said by it (2024-01-01).
    private static let earliest = 1_704_067_200.0

    /// What is here of an item, or on its way.
    struct Held: Equatable, Sendable {
        let isByRule: Bool
        /// Nil while nobody knows.
        var bytes: Int64?
    }

    /// What is to be done, of one source's items.
    struct Plan: Equatable, Sendable {
        /// The newest first.
        var fetch: [Int64] = []
        var remove: Set<Int64> = []
    }

    /// Says what is to be fetched and removed; `items` are the newest, in order, `now` and `lastSuccess` (when the
    /// publisher was read last) unix times, `inUse` is what is heard now.
    ///
    /// The age counts up to the last time that the publisher was read: so a clock that jumps, or a network that is
    /// away for a month, takes nothing away.
    func plan(
        items: [DownloadCandidate], held: [Int64: Held], inUse: Int64?, now: Double, lastSuccess: Double
    ) -> Plan {
        guard now >= Self.earliest else { return Plan() }
        let kept = fitting(wanted(items, inUse: inUse, at: min(now, lastSuccess)), held)
        var plan = Plan()
        plan.fetch = kept.filter { held[$0] == nil }
        let wanted = Set(kept)
        plan.remove = Set(
            held.filter { $0.value.isByRule && !wanted.contains($0.key) && $0.key != inUse }.keys)
        return plan
    }

    private func wanted(_ items: [DownloadCandidate], inUse: Int64?, at clock: Double) -> [DownloadCandidate]
    {
        items.prefix(min(newest ?? Self.most, Self.most)).filter { item in
            if let days, item.time < clock - Double(days) * 86_400 { return false }
            if untilHeard, item.isHeard { return false }
            return !item.isRefused
        }
    }

    /// Of these, those that have room; what somebody asked for takes none of it.
    private func fitting(_ items: [DownloadCandidate], _ held: [Int64: Held]) -> [Int64] {
        guard var room = bytes else { return items.map(\.id) }
        return items.compactMap { item in
            if let known = held[item.id], !known.isByRule { return item.id }
            let size = held[item.id]?.bytes ?? item.size ?? 0
            guard size <= room else { return nil }
            room -= size
            return item.id
        }
    }
}
