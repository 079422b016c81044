import Base

/// When there is enough to begin, or to go on after a stall.
package struct BufferPolicy: Equatable, Sendable {
    /// Seconds that are enough whatever the source delivers.
    package static let firstTarget = 2.0
    /// What the target grows to at most, in seconds.
    package static let lastTarget = 20.0
    /// Seconds that are enough when the source delivers much faster than it is played.
    static let leastAhead = 0.3
    /// How much faster that is.
    static let surplus = 1.5

    /// Seconds of sound that are enough to begin.
    package private(set) var target = firstTarget
    /// True once the item ran dry: its throughput has disappointed.
    private var hasStalled = false

    package init() {}

    /// The sound ran dry: more is wanted from now on.
    package mutating func noteStall() {
        hasStalled = true
        target = min(Self.lastTarget, target * 2)
    }

    /// True when playing can go on to the end, or for long, as far as can be told; bit rate in bit/s.
    package func isLikelyToKeepUp(_ buffer: BufferStatus, bitrate: Int?, isLocal: Bool) -> Bool {
        if isLocal || buffer.isWhole || buffer.isFinished || buffer.isFull { return true }
        if buffer.secondsAhead >= target { return true }
        guard !hasStalled, buffer.secondsAhead >= Self.leastAhead, let bitrate, bitrate > 0,
            let bytesPerSecond = buffer.bytesPerSecond
        else { return false }
        return bytesPerSecond * 8 >= Self.surplus * Double(bitrate)
    }
}
