import Store
import Testing

@testable import jukeboxd

/// What rules fetch and remove, row by row.
@Suite struct DownloadRulesTests {
    private static let day = 86_400.0
    private static let now = 20_000 * day

    /// Five items, a day apart, the newest first: 5 is of today, 1 of four days ago; each takes 100 bytes.
    private static func items(
        heard: Set<Int64> = [], refused: Set<Int64> = [], size: Int64? = 100
    ) -> [DownloadCandidate] {
        (Int64(1)...5).reversed().map { id in
            DownloadCandidate(
                id: id, time: now - Double(5 - id) * day, isHeard: heard.contains(id), size: size,
                isRefused: refused.contains(id))
        }
    }

    struct Row: Sendable {
        var rules: DownloadRules
        var items = DownloadRulesTests.items()
        /// Items that are here by a rule, and by hand.
        var byRule: [Int64] = []
        var byHand: [Int64] = []
        var bytes: Int64?
        var inUse: Int64?
        var now = DownloadRulesTests.now
        var lastSuccess = DownloadRulesTests.now
        var fetch: [Int64]
        var remove: Set<Int64> = []
    }

    @Test(arguments: [
        Row(rules: .init(newest: 2), fetch: [5, 4]),
        Row(rules: .init(newest: 9), fetch: [5, 4, 3, 2, 1]),
        Row(rules: .init(newest: 2), byRule: [5], fetch: [4]),
        Row(rules: .init(newest: 2), byRule: [5, 4, 3, 1], fetch: [], remove: [3, 1]),
        Row(rules: .init(newest: 2), byHand: [1, 5], fetch: [4]),
        Row(rules: .init(newest: 2), byRule: [3], byHand: [2], inUse: 3, fetch: [5, 4]),
        // What is not listed any more, and so is no candidate.
        Row(rules: .init(newest: 2), byRule: [99], byHand: [98], fetch: [5, 4], remove: [99]),
    ])
    func theNewestAreKept(row: Row) { check(row) }

    @Test(arguments: [
        Row(rules: .init(days: 2), fetch: [5, 4, 3]),
        Row(rules: .init(days: 2), byRule: [5, 2], byHand: [1], fetch: [4, 3], remove: [2]),
        Row(rules: .init(newest: 2, days: 3), fetch: [5, 4]),
        Row(rules: .init(newest: 4, days: 1), fetch: [5, 4]),
    ])
    func whatIsYoungEnoughIsKept(row: Row) { check(row) }

    @Test(arguments: [
        Row(rules: .init(untilHeard: true), items: items(heard: [5, 2]), fetch: [4, 3, 1]),
        // What was heard is not made up for by something older.
        Row(
            rules: .init(newest: 2, untilHeard: true), items: items(heard: [5]), byRule: [5, 4], fetch: [],
            remove: [5]),
        Row(
            rules: .init(newest: 2, untilHeard: true), items: items(heard: [5]), byRule: [5], inUse: 5,
            fetch: [4]),
        Row(rules: .init(newest: 2), items: items(heard: [5]), byRule: [5, 4], fetch: []),
    ])
    func itIsKeptUntilItWasHeard(row: Row) { check(row) }

    @Test(arguments: [
        Row(rules: .init(newest: 3), items: items(refused: [4]), fetch: [5, 3]),
        Row(
            rules: .init(untilHeard: true), items: items(refused: [5, 4, 3]), byRule: [3], fetch: [2, 1],
            remove: [3]),
    ])
    func whatWasDeletedByHandStaysAway(row: Row) { check(row) }

    @Test(arguments: [
        Row(rules: .init(bytes: 250), fetch: [5, 4]),
        Row(rules: .init(bytes: 300), fetch: [5, 4, 3]),
        Row(rules: .init(bytes: 99), fetch: []),
        Row(rules: .init(bytes: 200), byRule: [3, 2], fetch: [5, 4], remove: [3, 2]),
        // It was larger than its publisher said.
        Row(rules: .init(bytes: 250), byRule: [5, 4], bytes: 200, fetch: [], remove: [4]),
        // What was asked for by hand takes no room.
        Row(rules: .init(bytes: 200), byHand: [5, 4], bytes: 1_000, fetch: [3, 2]),
        Row(rules: .init(bytes: 1), items: items(size: nil), fetch: [5, 4, 3, 2, 1]),
        Row(rules: .init(newest: 3, bytes: 200), fetch: [5, 4]),
    ])
    func aBudgetGoesToTheNewest(row: Row) { check(row) }

    @Test(arguments: [
        // 2038, until the clock is set right: the publisher was read today.
        Row(rules: .init(days: 2), byRule: [5, 4, 3], now: now + 5_000 * day, fetch: []),
        // The publisher cannot be reached for a month.
        Row(rules: .init(days: 2), byRule: [5, 4, 3], now: now + 30 * day, fetch: []),
        // It was read by a clock that is put back now.
        Row(rules: .init(days: 2), byRule: [5], lastSuccess: now + 5_000 * day, fetch: [4, 3]),
        // A clock that was never set says nothing.
        Row(rules: .init(newest: 1, days: 2), byRule: [3], now: 100, fetch: []),
        Row(rules: .init(newest: 1), byRule: [3], now: 1_600_000_000, fetch: []),
        // A publisher from the future.
        Row(rules: .init(days: 1), items: [.init(id: 7, time: now + 400 * day)], fetch: [7]),
    ])
    func aClockThatJumpsTakesNothing(row: Row) { check(row) }

    private func check(_ row: Row) {
        var held: [Int64: DownloadRules.Held] = [:]
        for id in row.byRule { held[id] = .init(isByRule: true, bytes: row.bytes) }
        for id in row.byHand { held[id] = .init(isByRule: false, bytes: row.bytes) }
        let plan = row.rules.plan(
            items: row.items, held: held, inUse: row.inUse, now: row.now, lastSuccess: row.lastSuccess)
        #expect(plan == .init(fetch: row.fetch, remove: row.remove))
    }

    @Test func onePlanDoneLeavesNothingToDo() {
        let rules = DownloadRules(newest: 4, days: 3, untilHeard: true, bytes: 250)
        let items = Self.items(heard: [4], refused: [2])
        let before: [Int64: DownloadRules.Held] = [1: .init(isByRule: true), 4: .init(isByRule: true)]
        let first = rules.plan(items: items, held: before, inUse: nil, now: Self.now, lastSuccess: Self.now)
        var after = before.filter { !first.remove.contains($0.key) }
        for id in first.fetch { after[id] = .init(isByRule: true) }
        let second = rules.plan(items: items, held: after, inUse: nil, now: Self.now, lastSuccess: Self.now)
        #expect(!first.fetch.isEmpty && !first.remove.isEmpty && second == .init())
    }
}
