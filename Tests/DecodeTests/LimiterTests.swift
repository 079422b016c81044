import Base
import Glibc
import Support
import Testing

@testable import Decode

@Suite struct LimiterTests {
    /// Limits a signal of one channel in chunks of these lengths.
    private func limited(_ signal: [Float], chunk: Int) -> [Float] {
        var limiter = Limiter()
        var result = signal
        unsafe result.withUnsafeMutableBufferPointer { buffer in
            for start in stride(from: 0, to: buffer.count, by: chunk) {
                let part = unsafe buffer[start..<min(start + chunk, buffer.count)]
                unsafe limiter.apply(to: UnsafeMutableBufferPointer(rebasing: part), channels: 1)
            }
        }
        return result
    }

    private static func sine(_ amplitude: Float, frames: Int = 20_000) -> [Float] {
        (0..<frames).map { amplitude * sinf(Float($0) * 0.05) }
    }

    @Test(arguments: [64, 100, 2048, 20_000])
    func whatIsWithinFullScaleStaysAsItIs(chunk: Int) {
        let signal = Self.sine(0.99)
        #expect(limited(signal, chunk: chunk) == signal)
    }

    @Test(arguments: [64, 100, 2048, 20_000])
    func nothingIsOverFullScale(chunk: Int) {
        var generator = SeededGenerator(seed: 5)
        let noise = (0..<20_000).map { _ in Float.random(in: -4...4, using: &generator) }
        for signal in [Self.sine(3), noise] {
            #expect(limited(signal, chunk: chunk).allSatisfy { abs($0) <= 1 })
        }
    }

    @Test func aLoudPassageIsTurnedDownWithoutAJumpAndComesBack() {
        let signal = (0..<60_000).map { frame in
            let loudness = max(0, 1 - abs(Float(frame) - 15_000) / 5000)
            return (0.5 + 2 * loudness) * sinf(Float(frame) * 0.05)
        }
        let result = limited(signal, chunk: 60_000)
        let steps = zip(result, result.dropFirst()).map { abs($1 - $0) }
        #expect(steps.max() ?? 1 < 0.06)
        #expect(Array(result[..<9900]) == Array(signal[..<9900]))
        #expect(result[40_000...] == signal[40_000...])
    }

    @Test func whatIsNoNumberIsPassedOver() {
        let signal: [Float] = [0.5, .nan, -.infinity, 2, 0.25]
        let result = limited(signal, chunk: 5)
        #expect(result[0].isFinite && result[3] <= 1)
    }

    @Test(arguments: [1, 7, 1000])
    func aFaderGoesToItsTargetInAStraightLine(chunk: Int) {
        var fader = Fader()
        fader.jump(to: 1)
        fader.go(to: 0, frames: 100)
        var ones = [Float](repeating: 1, count: 400)
        unsafe ones.withUnsafeMutableBufferPointer { buffer in
            for start in stride(from: 0, to: 200, by: chunk) {
                let part = unsafe buffer[start * 2..<min(start + chunk, 200) * 2]
                unsafe fader.apply(to: UnsafeMutableBufferPointer(rebasing: part), channels: 2)
            }
        }
        for frame in 0..<200 {
            let expected = max(0, 1 - Float(frame) / 100)
            #expect(abs(ones[frame * 2] - expected) < 1e-4 && ones[frame * 2] == ones[frame * 2 + 1])
        }
    }
}
