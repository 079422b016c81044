package import Base

/// Where the straight line of position over time is fastened: clients draw a clock from it without polling.
package struct PositionAnchor: Equatable, Sendable, JSONRepresentable {
    /// Position in seconds.
    package let seconds: Double
    /// Unix time of that position, in seconds.
    package let at: Double
    /// The same moment on CLOCK_BOOTTIME, in seconds.
    package let monotonic: Double
    /// Seconds of the item a second: 0 while it stands.
    package let rate: Double

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("seconds", seconds)
            text.member("at", at)
            text.member("monotonic", monotonic)
            text.member("rate", rate)
        }
    }
}

/// The position by the sound card's clock; changes its anchor only where the line breaks or has drifted.
struct Playhead {
    /// Drift in seconds that renews the anchor: the protocol's.
    static let drift = 0.1
    /// What a standing position may differ by before it is corrected, in seconds.
    static let standingTolerance = 0.005

    private(set) var seconds: Double
    private(set) var since: MonotonicTime
    private(set) var isMoving = false
    private(set) var anchor: PositionAnchor

    init(_ timing: any Timing) {
        seconds = 0
        since = timing.now
        anchor = PositionAnchor(seconds: 0, at: timing.unixTime, monotonic: timing.bootTime, rate: 0)
    }

    /// The position at a moment, in seconds.
    func position(at time: MonotonicTime) -> Double {
        isMoving ? max(0, seconds + (time - since).inSeconds) : seconds
    }

    /// Stands at that position.
    mutating func stand(at position: Double, _ timing: any Timing) {
        guard isMoving || abs(position - seconds) > Self.standingTolerance else { return }
        fasten(position, timing.now, isMoving: false, timing)
    }

    /// Stands where it is now, if it moves.
    mutating func freeze(_ timing: any Timing, end: Double?) {
        guard isMoving else { return }
        let position = position(at: timing.now)
        fasten(min(position, end ?? position), timing.now, isMoving: false, timing)
    }

    /// Moves from a position that was heard at a moment; nothing changes while that lies on the line.
    mutating func move(from position: Double, at time: MonotonicTime, _ timing: any Timing) {
        if isMoving, abs(position - self.position(at: time)) < Self.drift { return }
        fasten(position, time, isMoving: true, timing)
    }

    /// Begins the line anew from a position: another item is heard.
    mutating func restart(from position: Double, at time: MonotonicTime, isMoving: Bool, _ timing: any Timing)
    {
        fasten(position, time, isMoving: isMoving, timing)
    }

    /// Renews the anchor's times after the system's clock was set.
    mutating func renew(_ timing: any Timing) {
        fasten(position(at: timing.now), timing.now, isMoving: isMoving, timing)
    }

    private mutating func fasten(
        _ position: Double, _ time: MonotonicTime, isMoving: Bool, _ timing: any Timing
    ) {
        let age = (timing.now - time).inSeconds
        seconds = position.isFinite ? max(0, position) : 0
        since = time
        self.isMoving = isMoving
        anchor = PositionAnchor(
            seconds: seconds, at: timing.unixTime - age, monotonic: timing.bootTime - age,
            rate: isMoving ? 1 : 0)
    }
}
