/// How often and how fast what broke is tried again.
package struct RetrySettings: Sendable {
    // MARK: How often: attempts in a row without a byte

    /// At what never answered, where the fault is not this machine's network: a mistyped URL shows soon.
    package var openingAttempts = 3
    /// No further attempt at what never answered after so long: two of those that time out.
    package var openingTime: Duration = .seconds(15)
    /// At a live stream that answers and never gave sound.
    package var silentAttempts = 5
    /// At a file whose server answers and gives nothing more of it.
    package var fileAttempts = 5
    /// At a file that was loaded in part and whose server cannot be reached: a quarter of an hour.
    package var fileReconnects = 100
    /// At a live stream that gave sound before: half a day.
    package var liveAttempts = 1500

    // MARK: How fast

    /// The wait before the second attempt; the first comes at once. It doubles from there.
    package var firstDelay: Duration = .milliseconds(500)
    /// For so long from its end on a live stream is asked for without a growing wait: it is missed.
    package var quickPeriod: Duration = .seconds(60)
    package var longestDelay: Duration = .seconds(30)
    /// The same for a file.
    package var longestFileDelay: Duration = .seconds(10)
    /// The least time from the start of an attempt that brought bytes to the next one's.
    package var leastInterval: Duration = .seconds(1)

    // MARK: For whom: servers that say when they want to be asked again

    /// The longest that is waited in all for what never gave a byte; what asks for more is told as an error.
    package var openingPatience: Duration = .seconds(30)
    /// The longest in all for the rest of a file, and at a time for a station, which is asked all the same then.
    package var longestPatience: Duration = .seconds(300)

    package init() {}

    func patience(_ isOpening: Bool) -> Duration { isOpening ? openingPatience : longestPatience }
}
