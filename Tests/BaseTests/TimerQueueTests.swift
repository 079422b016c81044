import Base
import Support
import Testing

@Suite struct TimerQueueTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    @Test func bodiesComeInOrderOfTimeThenOfAdding() {
        var queue = TimerQueue()
        var ran: [Int] = []
        for (index, when) in [30, 10, 20, 10].enumerated() {
            _ = queue.add(time(Int64(when))) { ran.append(index) }
        }
        for body in queue.takeDue(at: time(20)) { body() }
        #expect(ran == [1, 3, 2])
        #expect(queue.millisecondsToNext(from: time(20)) == 10)
    }

    @Test func cancelledTimersNeitherRunNorWake() {
        var queue = TimerQueue()
        let token = queue.add(time(5)) { Issue.record("ran") }
        queue.cancel(token)
        #expect(queue.millisecondsToNext(from: time(0)) == -1)
        #expect(queue.takeDue(at: time(100)).isEmpty)
    }

    @Test func waitsAreRoundedUpSoThatNoTurnIsTooEarly() {
        var queue = TimerQueue()
        _ = queue.add(MonotonicTime(nanoseconds: 1_000_001)) {}
        #expect(queue.millisecondsToNext(from: time(0)) == 2)
    }

    @Test func randomTimersAgreeWithASortedList() {
        var random = SeededGenerator(seed: 7)
        var queue = TimerQueue()
        var model: [(Int64, Int)] = []
        var ran: [Int] = []
        for index in 0..<500 {
            let when = Int64.random(in: 0..<100, using: &random)
            let token = queue.add(time(when)) { ran.append(index) }
            if Bool.random(using: &random) { queue.cancel(token) } else { model.append((when, index)) }
        }
        for body in queue.takeDue(at: time(100)) { body() }
        #expect(ran == model.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1))
    }
}
