import Base
// For `pollfd`, which a release build finds in the module of whoever included <poll.h> first.
import CALSA
import CLinux
import Glibc

/// Sleeping until something is to be done.
extension OutputLoop {
    func sleep(_ pause: Pause) {
        var count = 1
        var timeout: Int32 = -1
        unsafe poll[0] = pollfd(fd: inbox.wake.raw, events: Int16(POLLIN), revents: 0)
        switch pause {
        case .forever: break
        case .time(let duration): timeout = milliseconds(duration)
        case .room(let frames):
            let entries = unsafe UnsafeMutableBufferPointer(rebasing: poll[1...])
            count += unsafe sink.fillPoll(entries)
            // A device with descriptors that stays silent for a second is looked at all the same.
            timeout = count > 1 ? 1000 : milliseconds(untilNews(atMost: duration(ofFrames: frames)))
        }
        let mixing = count
        if let mixer { count += unsafe mixer.fillPoll(UnsafeMutableBufferPointer(rebasing: poll[count...])) }
        let ready = unsafe Glibc.poll(poll.baseAddress, nfds_t(count), timeout)
        isWoken = unsafe ready < 0 || poll[0].revents != 0
        if mixing > 1 { unsafe sink.polled(UnsafeMutableBufferPointer(rebasing: poll[1..<mixing])) }
        if count > mixing { unsafe heardMixer(UnsafeMutableBufferPointer(rebasing: poll[mixing..<count])) }
    }

    /// A mark is told when it is heard, however long the period.
    private func untilNews(atMost limit: Duration) -> Duration {
        guard let mark = feed?.nextMarkFrame, line.running, mark > line.frame, mark <= line.limit else {
            return limit
        }
        return min(limit, max(.zero, line.time(of: mark) - .now))
    }

    func duration(ofFrames frames: Int) -> Duration {
        let rate = format?.audio.sampleRate ?? 44_100
        return .seconds(clamping: Double(frames) / Double(rate))
    }

    /// Rounded up, so that it is time when the sleep ends.
    private func milliseconds(_ duration: Duration) -> Int32 {
        Int32(clamping: max(0, (duration.nanoseconds + 999_999) / 1_000_000))
    }
}
