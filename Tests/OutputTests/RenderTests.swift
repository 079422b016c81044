import Testing

@testable import Output

@Suite struct RenderTests {
    private static let sixteenBits: [(Float, Int)] = [
        (0, 0), (1, 32767), (-1, -32768), (7, 32767), (-7, -32768), (.infinity, 32767),
        (-.infinity, -32768), (.nan, 0), (0.5, 16384), (0.000043, 1), (0.00005, 2), (-0.00005, -2),
    ]
    private static let thirtyTwoBits: [(Float, Int)] = [
        (0, 0), (1, 2_147_483_647), (-1, -2_147_483_648), (.nan, 0), (.infinity, 2_147_483_647),
        (-.infinity, -2_147_483_648), (0.25, 536_870_912), (-3, -2_147_483_648),
    ]

    @Test(arguments: sixteenBits)
    func sixteenBitsAreRoundedAndClamped(sample: Float, value: Int) {
        var output: Int16 = 0
        unsafe withUnsafePointer(to: sample) { source in
            unsafe withUnsafeMutableBytes(of: &output) { target in
                guard let target = target.baseAddress else { return }
                unsafe Kernels.convertToS16(source, target, samples: 1)
            }
        }
        #expect(Int(output) == value)
    }

    @Test(arguments: thirtyTwoBits)
    func thirtyTwoBitsAreClamped(sample: Float, value: Int) {
        var output: Int32 = 0
        unsafe withUnsafePointer(to: sample) { source in
            unsafe withUnsafeMutableBytes(of: &output) { target in
                guard let target = target.baseAddress else { return }
                unsafe Kernels.convertToS32(source, target, samples: 1, scale: 2_147_483_648)
            }
        }
        #expect(Int(output) == value)
    }

    @Test func gainRampArrivesExactlyAndWithoutJumps() {
        var ramp = GainRamp()
        ramp.setRate(44_100)
        ramp.go(to: 0.25)
        var last = ramp.current
        for _ in 0..<50 {
            ramp.advance(frames: 10)
            #expect(abs(ramp.current - last) < 0.03)
            last = ramp.current
        }
        #expect(ramp.current == 0.25)
        #expect(ramp.remaining == 0)
    }

    @Test(arguments: [(0.0, Float(0)), (100, 1), (50, 0.125), (200, 1), (-1, 0), (.nan, 0)])
    func volumeIsCubic(percent: Double, gain: Float) {
        #expect(VolumeCurve.gain(percent: percent) == gain)
    }

    @Test func mixToFewerChannelsNeverClips() {
        for inputs in 1...8 {
            for outputs in 1...2 {
                let factors = ChannelMatrix.factors(inputs: inputs, outputs: outputs) ?? []
                for output in 0..<outputs where !factors.isEmpty {
                    let sum = factors[(output * inputs)..<((output + 1) * inputs)].reduce(0, +)
                    #expect(sum <= 1.0001)
                }
            }
        }
    }
}
