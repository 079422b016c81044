import Base
import Testing

@testable import Loader

@Suite struct RetryPolicyTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let settings = RetrySettings()

    /// The waits before the following attempts, each of which fails at once; in seconds.
    private func waits(
        _ stage: RetryPolicy.Stage, _ trouble: RetryPolicy.Trouble, after: Duration = .seconds(100),
        attemptTakes: Duration = .zero, atMost: Int = 40
    ) -> [Double] {
        var policy = RetryPolicy(settings)
        policy.started(at: Self.start)
        var now = Self.start + (stage == .opening ? attemptTakes : after)
        var waits: [Double] = []
        var brought = stage == .station || stage == .file
        while waits.count < atMost,
            let wait = policy.next(stage, trouble, broughtBytes: brought, now: now, jitter: 0)
        {
            waits.append(wait.inSeconds)
            now = now + wait
            policy.started(at: now)
            now = now + attemptTakes
            brought = false
        }
        return waits
    }

    @Test func aTypoIsToldAfterThreeAttempts() {
        #expect(waits(.opening, .connection) == [0.5, 1])
        #expect(waits(.opening, .answer) == [0.5, 1])
    }

    @Test func whatTimesOutWhenOpenedIsTriedTwice() {
        #expect(waits(.opening, .connection, attemptTakes: .seconds(10)) == [0.5])
    }

    @Test func aMissingNetworkIsWaitedForWithoutEnd() {
        for stage in RetryPolicy.Stage.allCases {
            let waits = waits(stage, .network, atMost: 3000)
            #expect(waits.count == 3000)
            #expect(waits.last == (stage == .file ? 10 : 30))
        }
    }

    @Test func aStationIsMissedForAMinuteAndThenAskedForLessOften() {
        let waits = waits(.station, .connection, atMost: 2000)
        #expect(waits.first == 0)
        #expect(waits[1...119].allSatisfy { $0 == 0.5 })
        #expect(waits[121...127] == [1, 2, 4, 8, 16, 30, 30])
        #expect(waits.count == settings.liveAttempts)
        #expect(waits.reduce(0, +) > 11 * 3600)
    }

    @Test func aFileWhoseServerIsAwayIsWaitedForLongerThanOneThatGivesNoMore() {
        #expect(waits(.file, .connection).prefix(7) == [0, 0.5, 1, 2, 4, 8, 10])
        #expect(waits(.file, .connection, atMost: 1000).count == settings.fileReconnects)
        #expect(waits(.file, .answer) == [0, 0.5, 1, 2, 4])
        #expect(waits(.silentStation, .answer) == [0, 0.5, 1, 2, 4].map { max($0, 0) })
    }

    @Test func onlyAttemptsThatBroughtNothingUseUpTheBudget() {
        var policy = RetryPolicy(settings)
        for index in 0..<20_000 {
            let now = Self.start + .seconds(index * 10)
            policy.started(at: now)
            let wait = policy.next(
                .station, .connection, broughtBytes: true, now: now + .seconds(5), jitter: 1)
            #expect(wait == .seconds(-4) || wait == .zero)
            #expect(policy.attempts == 1)
        }
    }

    @Test func aServerThatGivesALittleAndClosesIsNotAskedInATightLoop() {
        var policy = RetryPolicy(settings)
        policy.started(at: Self.start)
        let now = Self.start + .milliseconds(100)
        #expect(
            policy.next(.station, .connection, broughtBytes: true, now: now, jitter: 0) == .milliseconds(900))
    }

    @Test func aNetworkThatCameBackIsReasonToTryAtOnceAndOftenAgain() {
        var policy = RetryPolicy(settings)
        var now = Self.start
        for _ in 0..<300 {
            policy.started(at: now)
            now =
                now
                + (policy.next(.station, .connection, broughtBytes: false, now: now, jitter: 0) ?? .zero)
        }
        policy.started(at: now)
        let due = now + .seconds(30)
        #expect(policy.encourage(due, now: now + .seconds(10)) == now + .seconds(10))
        // Addresses and routes come in quick succession: not an attempt for each of them.
        #expect(policy.encourage(due, now: now) == now + .milliseconds(200))
        let wait = policy.next(
            .station, .connection, broughtBytes: false, now: now + .seconds(11), jitter: 0)
        #expect(wait == .milliseconds(500))
    }

    @Test func jitterSpreadsTheAttemptsByAFifth() {
        for (jitter, milliseconds) in [(0.0, 500.0), (0.5, 550), (1.0, 600)] {
            var policy = RetryPolicy(settings)
            policy.started(at: Self.start)
            let first = policy.next(
                .opening, .connection, broughtBytes: false, now: Self.start, jitter: jitter)
            let wait = (first?.inSeconds ?? 0) * 1000
            #expect(abs(wait - milliseconds) < 0.001)
        }
    }

    /// The waits of a server that is never there, and asks to be left alone for so many seconds each time.
    private func waits(_ stage: RetryPolicy.Stage, asked: Duration, atMost: Int = 20) -> [Double] {
        var policy = RetryPolicy(settings)
        var now = Self.start
        var waits: [Double] = []
        while waits.count < atMost {
            policy.started(at: now)
            let wait = policy.next(
                stage, .answer, broughtBytes: false, notBefore: asked, now: now, jitter: 0)
            guard let wait else { break }
            waits.append(wait.inSeconds)
            now = now + wait
        }
        return waits
    }

    @Test func aServerIsLeftAloneForAsLongAsItAsks() {
        #expect(waits(.opening, asked: .seconds(12)) == [12, 12])
        #expect(waits(.opening, asked: .seconds(31)).isEmpty)
        #expect(waits(.opening, asked: .zero) == [0.5, 1, 2, 4, 8])
        #expect(waits(.file, asked: .seconds(100)) == [100, 100, 100])
        #expect(waits(.station, asked: .seconds(3600)) == Array(repeating: 300, count: 20))
    }
}
