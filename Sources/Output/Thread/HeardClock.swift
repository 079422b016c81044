import Base
import Synchronization

/// What an output has played by its device's clock; its thread publishes, any thread reads.
final class HeardClock: Sendable {
    /// The line through (`frame`, `at`); it moves at `rate` frames a second when running, at most to `limit`.
    struct Line: Equatable, Sendable {
        var ring = 0
        var frame = 0
        var at = MonotonicTime(nanoseconds: 0)
        var rate = 0
        var limit = 0
        var running = false

        /// The frame that is heard at a moment.
        func frame(at time: MonotonicTime) -> Int {
            guard running else { return frame }
            let seconds = min(max((time - at).inSeconds, -3600), 3600)
            return min(frame + Int(seconds * Double(rate)), max(limit, frame))
        }

        /// The moment at which a frame is heard; now for one that the line does not reach.
        func time(of frame: Int) -> MonotonicTime {
            guard rate > 0 else { return at }
            return at + .seconds(clamping: Double(frame - self.frame) / Double(rate))
        }
    }

    private let line = Mutex<Line?>(nil)

    /// Replaces the line; nil when nothing is attached.
    func publish(_ new: Line?) { line.withLock { $0 = new } }

    /// The line as last published; held for some nanoseconds only.
    var current: Line? { line.withLock { $0 } }
}
