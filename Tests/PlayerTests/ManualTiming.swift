import Base
import Player

/// Clocks and timers that stand still until a test moves them.
final class ManualTiming: Timing {
    private var timers = TimerQueue()
    private(set) var now = MonotonicTime(nanoseconds: 5_000_000_000)
    var unixTime: Double { 1_700_000_000 + now.nanoseconds.asSeconds }
    var bootTime: Double { 1_000 + now.nanoseconds.asSeconds }
    /// Timers that were neither run nor cancelled.
    private(set) var armed: Set<TimerQueue.Token> = []

    func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerQueue.Token {
        var token: TimerQueue.Token?
        token = timers.add(now + delay) { [weak self] in
            if let token { self?.armed.remove(token) }
            body()
        }
        if let token { armed.insert(token) }
        return token ?? timers.add(now, {})
    }

    func cancel(_ timer: TimerQueue.Token) {
        armed.remove(timer)
        timers.cancel(timer)
    }

    /// Lets time pass, running what becomes due at its own moment.
    func advance(_ seconds: Double) {
        let end = now + .seconds(clamping: seconds)
        while true {
            let wait = Int64(timers.millisecondsToNext(from: now))
            guard wait >= 0, now.nanoseconds + wait * 1_000_000 <= end.nanoseconds else { break }
            now = MonotonicTime(nanoseconds: now.nanoseconds + wait * 1_000_000)
            for body in timers.takeDue(at: now) { body() }
        }
        now = end
    }
}

extension Int64 {
    fileprivate var asSeconds: Double { Double(self) / 1e9 }
}
