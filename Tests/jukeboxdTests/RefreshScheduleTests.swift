import Testing

@testable import jukeboxd

@Suite struct RefreshScheduleTests {
    private let schedule = RefreshSchedule(interval: 3_600)
    private let now = 1_700_000_000.0

    @Test func afterASuccessTheyAreSpreadOutWithinATenthOfTheInterval() {
        let waits = (1...100).map { schedule.afterSuccess($0, now: now) - now }
        #expect(waits.allSatisfy { (3_240...3_960).contains($0) })
        #expect(Set(waits).count == 100)
        #expect(waits.min() ?? 0 < 3_300 && waits.max() ?? 0 > 3_900)
        #expect(schedule.afterSuccess(7, now: now) == schedule.afterSuccess(7, now: now))
    }

    @Test(arguments: [(1, 60.0), (2, 120), (3, 240), (6, 1_920), (7, 3_600), (100, 3_600), (.max, 3_600)])
    func theWaitAfterAFailureDoublesUpToTheInterval(failures: Int64, wait: Double) {
        for source in Int64(1)...20 {
            let found = schedule.afterFailure(source, failures: failures, retryAt: nil, now: now) - now
            #expect((wait * 0.8 - 0.01...wait * 1.2 + 0.01).contains(found))
        }
    }

    @Test(arguments: [(10.0, 48.0...72), (7_200, 7_200...7_200), (1e9, 86_400...86_400), (-5, 48...72)])
    func whatAServerWantsCountsWhereItIsLonger(wish: Double, expected: ClosedRange<Double>) {
        let found = schedule.afterFailure(1, failures: 1, retryAt: now + wish, now: now) - now
        #expect(expected.contains(found))
    }

    @Test func anIntervalOfDaysDoesNotMakeAFailureWaitThatLong() {
        let rare = RefreshSchedule(interval: 7 * 86_400)
        #expect(rare.afterFailure(1, failures: 50, retryAt: nil, now: now) - now <= 6 * 3_600 * 1.2)
    }
}
