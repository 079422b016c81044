import Base
import Foundation
import Output
import Synchronization

/// What outputs told, to be waited for with a deadline.
final class EventLog: Sendable {
    private let events = Mutex<[OutputEvent]>([])
    private let wake = WakePoint()

    func add(_ event: OutputEvent) {
        events.withLock { $0.append(event) }
        wake.signal()
    }

    var all: [OutputEvent] { events.withLock { $0 } }

    /// Waits until an event matches; false after the deadline.
    @discardableResult
    func wait(seconds: Int = 20, for matches: (OutputEvent) -> Bool) -> Bool {
        let deadline = MonotonicTime.now + .seconds(seconds)
        while !all.contains(where: matches) {
            if MonotonicTime.now >= deadline { return false }
            wake.wait(until: deadline)
        }
        return true
    }

    /// Waits until so many events match.
    func wait(count: Int, seconds: Int = 20, of matches: (OutputEvent) -> Bool) -> Bool {
        let deadline = MonotonicTime.now + .seconds(seconds)
        while all.filter(matches).count < count {
            if MonotonicTime.now >= deadline { return false }
            wake.wait(until: deadline)
        }
        return true
    }

    /// What the clock was told last; nil before.
    var isClockRunning: Bool? {
        for event in all.reversed() {
            if case .clock(_, _, _, let running) = event.kind { return running }
        }
        return nil
    }

    func waitForEnd(of ring: SampleRing) -> Bool {
        wait { if case .ended(ring: ring.id) = $0.kind { true } else { false } }
    }

    var marks: [(Mark, MonotonicTime)] {
        all.compactMap { if case .mark(_, let mark, let at) = $0.kind { (mark, at) } else { nil } }
    }
}
