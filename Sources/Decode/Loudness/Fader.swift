import Glibc

/// A factor that goes to a new value in a straight line, over interleaved samples in place.
struct Fader {
    private(set) var current: Float = 1
    private(set) var target: Float = 1
    private var remaining = 0

    /// True when every sample stays as it is.
    var isUnity: Bool { remaining == 0 && current == 1 }

    /// True while it is on its way.
    var isMoving: Bool { remaining > 0 }

    /// The most that a sample is multiplied by from here on.
    var peak: Float { max(current, target) }

    /// The factor for a gain in dB; 1 exactly for 0 dB.
    static func factor(decibels: Double) -> Float { decibels == 0 ? 1 : Float(pow(10, decibels / 20)) }

    /// Is there at once.
    mutating func jump(to factor: Float) {
        current = factor
        target = factor
        remaining = 0
    }

    /// Is there after so many frames.
    mutating func go(to factor: Float, frames: Int) {
        target = factor
        remaining = current == factor ? 0 : max(0, frames)
        if remaining == 0 { current = factor }
    }

    /// Multiplies frames.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
        if isUnity { return }
        let frames = samples.count / channels
        let ramped = min(remaining, frames)
        let step = remaining > 0 ? (target - current) / Float(remaining) : 0
        for frame in 0..<ramped {
            let factor = current + step * Float(frame)
            for index in frame &* channels..<(frame &+ 1) &* channels { unsafe samples[index] *= factor }
        }
        current = ramped == remaining ? target : current + step * Float(ramped)
        remaining -= ramped
        let factor = current
        if factor == 1 { return }
        for index in ramped &* channels..<frames &* channels { unsafe samples[index] *= factor }
    }
}
