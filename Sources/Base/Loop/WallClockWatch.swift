import CLinux
import Glibc

/// Tells when the wall clock is set, as after NTP's first answer or a resume; no wake-up otherwise.
/// Source: timerfd_create(2), TFD_TIMER_CANCEL_ON_SET.
package final class WallClockWatch {
    private let timer: FileDescriptor

    /// Watches on the loop for as long as this object lives.
    package init(on loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
        timer = FileDescriptor(
            owning: try System.check("timerfd_create") {
                timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            })
        let fd = timer.raw
        try WallClockWatch.arm(fd)
        _ = try loop.add(fd, .readable) { _ in
            var count: UInt64 = 0
            // Reading fails with ECANCELED when the clock was set; the timer must then be armed anew.
            _ = unsafe read(fd, &count, 8)
            try? WallClockWatch.arm(fd)
            handler()
        }
    }

    /// Arms far in the future: only the cancelling matters.
    private static func arm(_ fd: Int32) throws(SystemError) {
        var time = itimerspec()
        time.it_value.tv_sec = Int(Int32.max)
        try System.check("timerfd_settime") {
            unsafe timerfd_settime(fd, Int32(TFD_TIMER_ABSTIME) | jb_cancel_on_set(), &time, nil)
        }
    }
}
