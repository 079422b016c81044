import CLinux
import Glibc

/// A timer at a moment of the wall clock, which holds through suspend; told also when the clock is set.
/// Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET.
package final class WallClockTimer {
    private let timer: FileDescriptor

    /// Calls `handler` on the loop when the moment has come or the clock was set: it looks what time it is.
    package init(on loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
        timer = FileDescriptor(
            owning: try System.check("timerfd_create") {
                timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
        let fd = timer.raw
        _ = try loop.add(fd, .readable) { _ in
            var count: UInt64 = 0
            // Fails with ECANCELED when the clock was set.
            _ = unsafe read(fd, &count, 8)
            handler()
        }
    }

    /// Arms it for a unix time in seconds, past ones included; nil disarms it.
    package func set(at unixTime: Double?) {
        var time = itimerspec()
        if let unixTime {
            let clamped = max(1, min(unixTime, 1e11))
            time.it_value.tv_sec = Int(clamped)
            time.it_value.tv_nsec = Int((clamped - clamped.rounded(.down)) * 999_999_999)
        }
        _ = unsafe timerfd_settime(timer.raw, Int32(TFD_TIMER_ABSTIME) | jb_cancel_on_set(), &time, nil)
    }
}
