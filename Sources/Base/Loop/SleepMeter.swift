/// Tells how long the machine was asleep since it was last asked: what CLOCK_BOOTTIME has over CLOCK_MONOTONIC.
package struct SleepMeter {
    private var asleep: Double

    /// Begins to count. Both clocks in seconds.
    package init(monotonic: Double, boot: Double) { asleep = boot - monotonic }

    /// Seconds asleep since the last call, or the beginning.
    package mutating func slept(monotonic: Double, boot: Double) -> Double {
        let before = asleep
        asleep = boot - monotonic
        return max(0, asleep - before)
    }
}
