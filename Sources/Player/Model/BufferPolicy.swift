import Base

/// When there is enough to begin, or to go on after a stall.
package struct BufferPolicy: Sendable {
    /// Seconds that are enough whatever the source delivers.
    package static let firstTarget = 2.0
    /// What the target grows to at most, in seconds.
    package static let lastTarget = 20.0
    /// Seconds that are enough when the source delivers much faster than it is played.
    static let leastAhead = 0.3
    /// How much faster that is.
    static let surplus = 1.5

    /// Seconds that are enough of a live stream that was connected anew: it was missed long enough.
    static let enoughAfterReconnect = 0.5

    /// Seconds of sound that are enough to begin.
    package private(set) var target = firstTarget
    /// True once the item ran dry: its throughput has disappointed.
    private var hasStalled = false
    /// What `target` and `hasStalled` were before the last stall.
    private var beforeStall: (target: Double, hasStalled: Bool)?
    /// True from a new connection on, until the item runs dry with it.
    private var isReconnected = false

    package init() {}

    /// The sound ran dry: more is wanted from now on.
    package mutating func noteStall() {
        beforeStall = (target, hasStalled)
        isReconnected = false
        hasStalled = true
        target = min(Self.lastTarget, target * 2)
    }

    /// The connection is made anew; `isStalled` when the item ran dry with the old one, which was dead then and not
    /// slow.
    package mutating func noteReconnect(isStalled: Bool) {
        if isStalled, let before = beforeStall { (target, hasStalled) = before }
        beforeStall = nil
        isReconnected = true
    }

    /// True when playing can go on to the end, or for long, as far as can be told; bit rate in bit/s.
    package func isLikelyToKeepUp(_ buffer: BufferStatus, bitrate: Int?, isLocal: Bool, isLive: Bool = false)
        -> Bool
    {
        if isLocal || buffer.isWhole || buffer.isFinished || buffer.isFull { return true }
        if buffer.secondsAhead >= target { return true }
        if isLive, isReconnected, buffer.secondsAhead >= Self.enoughAfterReconnect { return true }
        guard !hasStalled, buffer.secondsAhead >= Self.leastAhead, let bitrate, bitrate > 0,
            let bytesPerSecond = buffer.bytesPerSecond
        else { return false }
        return bytesPerSecond * 8 >= Self.surplus * Double(bitrate)
    }
}
