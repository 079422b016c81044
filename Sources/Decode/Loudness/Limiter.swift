/// Keeps what was made louder within full scale, by turning it down for a moment, with as little look ahead as that
/// takes.
///
/// Works in blocks of 1.5 ms: the gain at a block's edges is what both neighbours can bear, and a straight line
/// between. What comes first in a chunk was not seen before: it is turned down within its block, and what is over
/// full scale until then is bent. No memory, no delay.
struct Limiter {
    private static let blockFrames = 64
    /// Just below full scale, so that nothing is clipped by rounding.
    private static let ceiling: Float = 0.998
    /// A block gives back that much of the gain that was taken: all of it within a third of a second.
    private static let release: Float = 0.006

    private var gain: Float = 1

    /// True when what was turned down is loud again.
    var isIdle: Bool { gain == 1 }

    /// Forgets what was turned down.
    mutating func reset() { gain = 1 }

    /// Brings interleaved samples within full scale, in place.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
        let frames = samples.count / channels
        var start = 0
        var bearable = unsafe Self.bearable(samples, 0, frames, channels)
        while start < frames {
            let end = min(start + Self.blockFrames, frames)
            let next = end < frames ? unsafe Self.bearable(samples, end, frames, channels) : 1
            let released = min(1, gain + Self.release)
            let target = min(bearable, next, released)
            if gain != 1 || target != 1 {
                unsafe scale(samples, start, end, channels, to: target, isOver: gain > bearable)
            }
            gain = target
            bearable = next
            start = end
        }
    }

    /// The gain at which the block that begins there stays within full scale.
    private static func bearable(
        _ samples: UnsafeMutableBufferPointer<Float>, _ start: Int, _ frames: Int, _ channels: Int
    ) -> Float {
        var peak: Float = 0
        for index in start &* channels..<min(start &+ blockFrames, frames) &* channels {
            let value = unsafe abs(samples[index])
            // Written so that NaN is passed over.
            if value > peak, value < .infinity { peak = value }
        }
        return peak > ceiling ? ceiling / peak : 1
    }

    private func scale(
        _ samples: UnsafeMutableBufferPointer<Float>, _ start: Int, _ end: Int, _ channels: Int,
        to target: Float, isOver: Bool
    ) {
        let step = (target - gain) / Float(end - start)
        for frame in start..<end {
            let factor = gain + step * Float(frame &- start)
            for index in frame &* channels..<(frame &+ 1) &* channels {
                let value = unsafe samples[index] * factor
                unsafe samples[index] = isOver ? Self.bent(value) : value
            }
        }
    }

    /// Bends what lies beyond three quarters of full scale, so that it comes near it and never over.
    private static func bent(_ value: Float) -> Float {
        let knee: Float = 0.75
        let size = abs(value)
        guard size > knee else { return value }
        let over = (size - knee) / (1 - knee)
        let result = knee + (1 - knee) * over / (1 + over)
        return value < 0 ? -result : result
    }
}
