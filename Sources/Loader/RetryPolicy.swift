import Base

/// Decides when what broke is tried again; only attempts that brought nothing use up the budget.
struct RetryPolicy {
    private let settings: RetrySettings
    /// Attempts since the last one that brought bytes.
    private(set) var attempts = 0
    private var lastStart: MonotonicTime?

    init(_ settings: RetrySettings) { self.settings = settings }

    /// Notes that an attempt begins.
    mutating func started(at now: MonotonicTime) { lastStart = now }

    /// The wait before the next attempt; nil when the budget is used up. `jitter` is from 0 to 1.
    mutating func next(
        broughtBytes: Bool, isLive: Bool, gaveSound: Bool, now: MonotonicTime, jitter: Double
    ) -> Duration? {
        if broughtBytes { attempts = 0 }
        attempts += 1
        let budget =
            !isLive ? settings.fileAttempts : gaveSound ? settings.liveAttempts : settings.silentAttempts
        guard attempts <= budget else { return nil }
        var delay = Duration.zero
        if attempts > 1 {
            let doubled = settings.firstDelay * (1 << min(20, attempts - 2))
            delay = min(settings.longestDelay, doubled) * (1 + 0.2 * jitter)
        }
        // A server that gives a little and closes must not be asked in a tight loop.
        let interval = isLive ? settings.leastInterval : settings.leastInterval / 5
        let sinceStart = lastStart.map { now - $0 } ?? interval
        return max(delay, interval - sinceStart)
    }
}
