import Base
import Support
import Testing

@testable import Output

@Suite struct DriftTests {
    @Test(arguments: [-1, 1])
    func stretchedSineIsStillThatSine(by frames: Int) {
        let from = 2_205
        let count = from + frames
        let source = (0..<from).map { Float(Sine.value(Double($0) / 100)) }
        var target = [Float](repeating: 0, count: count)
        unsafe source.withUnsafeBufferPointer { source in
            unsafe target.withUnsafeMutableBufferPointer { target in
                guard let from0 = source.baseAddress, let to0 = target.baseAddress else { return }
                unsafe Kernels.stretch(from0, from: from, to: to0, to: count, channels: 1)
            }
        }
        let step = Double(from - 1) / Double(count - 1)
        let worst = (2..<(count - 2)).map { abs(Double(target[$0]) - Sine.value(Double($0) * step / 100)) }
            .max()
        #expect((worst ?? 1) < 0.0001)
        #expect(target.first == source.first)
        #expect(target.last == source.last)
    }

    /// Two crystals, 200 ppm apart, over ten minutes of periods.
    @Test(arguments: [-200.0, 0, 200])
    func twoClocksStayWithinAMillisecond(partsPerMillion: Double) {
        var drift = DriftControl()
        var lead = 20.0
        var pipeline = [0, 0, 0, 0]
        var worst = 0.0
        for period in 0..<12_000 {
            lead += 2_205 * partsPerMillion / 1e6
            // A frame more to play puts this output behind, once it is heard.
            lead -= Double(pipeline.removeFirst())
            let mustJump = drift.measure(lead: lead, sampleRate: 44_100)
            #expect(!mustJump)
            pipeline.append(drift.takeCorrection())
            if period > 200 { worst = max(worst, abs(lead)) }
        }
        #expect(worst < 44)
    }

    @Test func farApartAsksForAJump() {
        var drift = DriftControl()
        let far = drift.measure(lead: 2_000, sampleRate: 44_100)
        let near = drift.measure(lead: 1_000, sampleRate: 44_100)
        #expect(far && !near)
    }

    @Test func slowSecondCardIsBroughtBackByJumps() throws {
        let master = OutputSpec(name: "master", kind: .null(timed: true))
        let card = try FakeCard("FORMAT=S32_LE,SPEED=0.9")
        let session = try Session([master, card.spec()])
        let format = AudioFormat(sampleRate: 44_100, channels: 2)
        let feeder = try Feeder(format, total: 88_200, slots: [0, 1])
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        session.finish()
        let frames = card.frames()
        // It left frames out to keep up.
        let steps = zip(frames, frames.dropFirst()).map { $1 - $0 }
        #expect(steps.contains { $0 > 1_000 })
    }

    @Test func recordingBesideACardHoldsEverySample() throws {
        let folder = try ScratchFolder()
        let card = try FakeCard("FORMAT=S32_LE,SPEED=1.01")
        let session = try Session([
            card.spec(), try OutputSpec(parsing: "wav:\(folder.file("a.wav"))"),
        ])
        let format = AudioFormat(sampleRate: 44_100, channels: 2)
        let feeder = try Feeder(format, total: 44_100, slots: [0, 1]) { frame, channel in
            Float(Ramp.value(frame, channel: channel)) / 32768
        }
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(comesTrue { feeder.ring.heard(slot: 1) == 44_100 })
        session.finish()
        let wav = try Wav(folder.file("a.wav"))
        #expect(wav.frames == 44_100)
        #expect((0..<wav.frames).allSatisfy { Int(wav.samples[2 * $0]) == Ramp.value($0, channel: 0) })
    }
}
