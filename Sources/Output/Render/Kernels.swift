/// The loops over samples: pure arithmetic on memory that was there before; no locks, no memory, no traps.
///
/// Samples may be anything, NaN and infinity too: conversion clamps by comparison, as `Int32(Float)` would trap.
enum Kernels {
    /// Multiplies frames by a gain that changes by `step` a frame while `ramp` frames last.
    @_noLocks @_noAllocation
    static func scale(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, frames: Int, channels: Int,
        gain: Float, step: Float, ramp: Int, end: Float
    ) {
        let ramped = min(ramp, frames)
        for frame in 0..<ramped {
            let factor = gain + step * Float(frame)
            for channel in 0..<channels {
                let index = frame &* channels &+ channel
                unsafe target[index] = source[index] * factor
            }
        }
        for index in (ramped &* channels)..<(frames &* channels) {
            unsafe target[index] = source[index] * end
        }
    }

    /// Makes frames of `outputs` channels from frames of `inputs` by a matrix, a row an output channel.
    @_noLocks @_noAllocation
    static func mix(
        _ source: UnsafePointer<Float>, inputs: Int, to target: UnsafeMutablePointer<Float>, outputs: Int,
        matrix: UnsafePointer<Float>, frames: Int
    ) {
        for frame in 0..<frames {
            for output in 0..<outputs {
                var sum: Float = 0
                for input in 0..<inputs {
                    let factor = unsafe matrix[output &* inputs &+ input]
                    if factor != 0 { sum += unsafe source[frame &* inputs &+ input] * factor }
                }
                unsafe target[frame &* outputs &+ output] = sum
            }
        }
    }

    /// Stretches `from` frames to `to` of them, the first and the last staying themselves: Catmull-Rom.
    @_noLocks @_noAllocation
    static func stretch(
        _ source: UnsafePointer<Float>, from: Int, to target: UnsafeMutablePointer<Float>, to count: Int,
        channels: Int
    ) {
        let step = Double(from &- 1) / Double(max(1, count &- 1))
        let last = from &- 1
        for frame in 0..<count {
            let position = Double(frame) * step
            // Within 0 and `last`, as `step` is not negative and finite.
            let index = min(Int(position), last)
            let x = Float(position - Double(index))
            let before = max(0, index &- 1) &* channels
            let here = index &* channels
            let after = min(last, index &+ 1) &* channels
            let beyond = min(last, index &+ 2) &* channels
            for channel in 0..<channels {
                let a = unsafe source[before &+ channel]
                let b = unsafe source[here &+ channel]
                let c = unsafe source[after &+ channel]
                let d = unsafe source[beyond &+ channel]
                let cubic = ((3 * (b - c) + d - a) * x + 2 * a - 5 * b + 4 * c - d) * x + c - a
                unsafe target[frame &* channels &+ channel] = b + 0.5 * x * cubic
            }
        }
    }

    /// Rounds to 16 bits; full scale is 32768.
    @_noLocks @_noAllocation
    static func convertToS16(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, samples: Int
    ) {
        let output = unsafe target.assumingMemoryBound(to: Int16.self)
        for index in 0..<samples {
            var value = unsafe source[index] * 32768
            value = value == value ? value : 0
            value = value > -32768 ? value : -32768
            value = value < 32767 ? value : 32767
            // 1.5 × 2^23: the sum's low bits are the value, rounded to nearest.
            let bits = (value + 12_582_912).bitPattern
            unsafe output[index] = Int16(truncatingIfNeeded: bits)
        }
    }

    /// Rounds to 24 or 32 bits in 4 bytes; `scale` is the value of full scale.
    @_noLocks @_noAllocation
    static func convertToS32(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, samples: Int, scale: Double
    ) {
        let output = unsafe target.assumingMemoryBound(to: Int32.self)
        for index in 0..<samples { unsafe output[index] = integer(source[index], scale: scale) }
    }

    /// Rounds to 24 bits in 3 bytes.
    @_noLocks @_noAllocation
    static func convertToS24Packed(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, samples: Int
    ) {
        let output = unsafe target.assumingMemoryBound(to: UInt8.self)
        for index in 0..<samples {
            let value = unsafe integer(source[index], scale: 8_388_608)
            unsafe output[3 &* index] = UInt8(truncatingIfNeeded: value)
            unsafe output[3 &* index &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
            unsafe output[3 &* index &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
        }
    }

    /// Clamps to ±1; NaN becomes silence.
    @_noLocks @_noAllocation
    static func convertToFloat(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, samples: Int
    ) {
        let output = unsafe target.assumingMemoryBound(to: Float.self)
        for index in 0..<samples {
            var value = unsafe source[index]
            value = value == value ? value : 0
            value = value > -1 ? value : -1
            unsafe output[index] = value < 1 ? value : 1
        }
    }

    @_noLocks @_noAllocation
    private static func integer(_ sample: Float, scale: Double) -> Int32 {
        var value = Double(sample) * scale
        value = value == value ? value : 0
        value = value > -scale ? value : -scale
        value = value < scale - 1 ? value : scale - 1
        // 1.5 × 2^52, as above.
        return Int32(truncatingIfNeeded: (value + 6_755_399_441_055_744).bitPattern)
    }
}
