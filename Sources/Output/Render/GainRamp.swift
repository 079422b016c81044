/// A gain that goes to a new value in a straight line, so that it does not click.
struct GainRamp {
    /// Frames that a change takes.
    private var length = 441
    private(set) var current: Float = 1
    private(set) var target: Float = 1
    private(set) var remaining = 0

    /// The change a frame while `remaining` is not 0.
    var step: Float {
        @_noLocks @_noAllocation get { remaining == 0 ? 0 : (target - current) / Float(remaining) }
    }

    /// True when every sample stays as it is.
    var isUnity: Bool { remaining == 0 && current == 1 }

    /// A change takes 8 ms at that rate.
    mutating func setRate(_ sampleRate: Int) { length = max(1, sampleRate / 125) }

    /// Goes to a gain from where it is now.
    mutating func go(to gain: Float) {
        target = gain
        remaining = current == gain ? 0 : length
    }

    /// Is there at once.
    mutating func jump(to gain: Float) {
        target = gain
        current = gain
        remaining = 0
    }

    /// Begins at silence and goes to the target.
    mutating func fadeIn() {
        current = 0
        remaining = target == 0 ? 0 : length
    }

    /// Goes to silence within so many frames.
    mutating func fadeOut(frames: Int) {
        target = 0
        remaining = current == 0 ? 0 : frames
    }

    /// Moves on by frames that the device has taken.
    mutating func advance(frames: Int) {
        if frames >= remaining {
            current = target
            remaining = 0
        } else {
            current += step * Float(frames)
            remaining -= frames
        }
    }
}
