import Base

/// Lets something happen at most once in an interval: at once where it may, else when the interval is over.
final class RateLimit {
    private let timing: any Timing
    private let body: () -> Void
    private var last: MonotonicTime?
    private var timer: TimerQueue.Token?

    /// At least this lies between two runs.
    var interval: Duration

    init(_ interval: Duration, _ timing: any Timing, _ body: @escaping () -> Void) {
        self.interval = interval
        self.timing = timing
        self.body = body
    }

    /// True while a timer is armed.
    var isArmed: Bool { timer != nil }

    /// Runs the body now or later.
    func request() {
        guard timer == nil else { return }
        let wait = last.map { interval - (timing.now - $0) } ?? .zero
        guard wait > .zero else { return run() }
        timer = timing.schedule(after: wait) { [weak self] in
            self?.timer = nil
            self?.run()
        }
    }

    /// Runs the body at once, whatever the interval: something else changed with it.
    func runNow() {
        cancel()
        run()
    }

    /// Forgets what was requested.
    func cancel() {
        if let timer { timing.cancel(timer) }
        timer = nil
    }

    private func run() {
        last = timing.now
        body()
    }
}
