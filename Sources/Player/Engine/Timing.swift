package import Base

/// Clocks and timers as the player needs them: the loop's, or a test's.
package protocol Timing: AnyObject {
    /// Now, on the clock that timers and engine events use.
    var now: MonotonicTime { get }
    /// Unix time in seconds.
    var unixTime: Double { get }
    /// CLOCK_BOOTTIME in seconds.
    var bootTime: Double { get }

    /// Runs `body` once, on the control thread, after `delay`.
    func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerQueue.Token

    /// Cancels a timer; one that ran or was cancelled is ignored.
    func cancel(_ timer: TimerQueue.Token)
}

extension EventLoop: Timing {
    package var now: MonotonicTime { .now }
    package var unixTime: Double { Clocks.unixTime }
    package var bootTime: Double { Clocks.bootTime }
}
