import Base

/// Decides when what broke is tried again; only attempts that brought nothing use up the budget.
///
/// Pure: the clock and the dice are its caller's.
struct RetryPolicy {
    /// What is being loaded, as far as the answers so far tell.
    enum Stage: Equatable, CaseIterable {
        /// Nothing ever answered.
        case opening
        case file
        /// A live stream that gave no sound so far.
        case silentStation
        case station
    }

    /// Whose fault it is.
    enum Trouble: Equatable, CaseIterable {
        /// This machine has no way to anywhere, or none to a name server: it is waited for without end.
        case network
        /// No connection, or it broke before an answer.
        case connection
        /// The server answered, but gave nothing.
        case answer
    }

    private let settings: RetrySettings
    /// Attempts since the last one that brought bytes.
    private(set) var attempts = 0
    /// Those of them that count.
    private var charged = 0
    private var lastStart: MonotonicTime?
    /// When the first of these attempts began.
    private var firstStart: MonotonicTime?
    /// Since when there was no sound, or a reason for new hope.
    private var since: MonotonicTime?
    private var lastDelay = Duration.zero
    /// How long servers that asked for it were left alone since the last byte.
    private var waited = Duration.zero

    init(_ settings: RetrySettings) { self.settings = settings }

    /// Notes that an attempt begins.
    mutating func started(at now: MonotonicTime) {
        lastStart = now
        firstStart = firstStart ?? now
    }

    /// The wait before the next attempt; nil when the budget is used up, or less than what the server asks for
    /// (`notBefore`) would do. `jitter` is from 0 to 1.
    mutating func next(
        _ stage: Stage, _ trouble: Trouble, broughtBytes: Bool, notBefore: Duration? = nil,
        now: MonotonicTime, jitter: Double
    ) -> Duration? {
        if broughtBytes { begin() }
        attempts += 1
        since = since ?? now
        if let notBefore { return wait(stage, notBefore, now, jitter) }
        if trouble != .network { charged += 1 }
        guard isWithinBudget(stage, trouble, now) else { return nil }
        let delay = delay(stage, now)
        lastDelay = delay
        // A server that gives a little and closes must not be asked in a tight loop.
        let interval = settings.leastInterval / (broughtBytes && stage != .file ? 1 : 5)
        let sinceStart = lastStart.map { now - $0 } ?? interval
        return max(delay * (1 + 0.2 * jitter), interval - sinceStart)
    }

    /// There is reason to hope: the network came back. Returns when to try; no attempt was made since.
    mutating func encourage(_ due: MonotonicTime, now: MonotonicTime) -> MonotonicTime {
        since = now
        lastDelay = .zero
        return min(due, max(now, (lastStart ?? now) + settings.leastInterval / 5))
    }

    private mutating func begin() {
        attempts = 0
        charged = 0
        firstStart = lastStart
        since = nil
        lastDelay = .zero
        waited = .zero
    }

    private func isWithinBudget(_ stage: Stage, _ trouble: Trouble, _ now: MonotonicTime) -> Bool {
        if trouble == .network { return true }
        switch stage {
        case .opening:
            let elapsed = firstStart.map { now - $0 } ?? .zero
            return charged < settings.openingAttempts && elapsed < settings.openingTime
        case .silentStation: return charged <= settings.silentAttempts
        case .station: return charged <= settings.liveAttempts
        case .file:
            return charged <= (trouble == .answer ? settings.fileAttempts : settings.fileReconnects)
        }
    }

    /// The wait that a server asks for, who is there then: it counts by time, not by attempts.
    private mutating func wait(_ stage: Stage, _ asked: Duration, _ now: MonotonicTime, _ jitter: Double)
        -> Duration?
    {
        let delay = max(settings.firstDelay, delay(stage, now))
        lastDelay = delay
        let wait = max(delay, stage == .opening ? asked : min(asked, settings.longestPatience))
        waited += wait
        if stage != .station, waited > settings.patience(stage == .opening) { return nil }
        if let firstStart { self.firstStart = firstStart + wait }
        return wait + settings.firstDelay * (0.2 * jitter)
    }

    private func delay(_ stage: Stage, _ now: MonotonicTime) -> Duration {
        // What was there a moment ago is likely to be there again; what never was is not.
        if attempts == 1, stage != .opening { return .zero }
        if stage == .station, let since, now - since < settings.quickPeriod { return settings.firstDelay }
        let longest = stage == .file ? settings.longestFileDelay : settings.longestDelay
        return min(longest, max(settings.firstDelay, lastDelay * 2))
    }
}
