import Base
import Output
import Testing

@Suite struct WavOutputTests {
    private let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

    private func isRamp(_ wav: Wav, frames: Int) -> Bool {
        wav.frames == frames
            && (0..<frames).allSatisfy {
                Int(wav.samples[2 * $0]) == Ramp.value($0, channel: 0)
                    && Int(wav.samples[2 * $0 + 1]) == Ramp.value($0, channel: 1)
            }
    }

    @Test(arguments: ["wav", "wav-untimed"])
    func fileHoldsEveryFrameOnceOverPauses(kind: String) throws {
        let folder = try ScratchFolder()
        let log = EventLog()
        let bank = try OutputBank([OutputSpec(parsing: "\(kind):\(folder.file("a.wav"))")]) { log.add($0) }
        var producer = RingProducer(SampleRing(format: stereo, frames: 65_536, producerWake: WakePoint()))
        producer.attach(slot: 0)
        _ = producer.mark(.position, id: 7, at: 0)
        Ramp.produce(&producer, frames: 20_000)
        _ = producer.mark(.itemEnd, id: 7, at: 20_000)
        producer.end(successor: nil)
        try bank.play(producer.ring)
        for _ in 0..<3 {
            bank.setRunning(true)
            log.wait { if case .clock(_, _, _, running: true) = $0.kind { true } else { false } }
            bank.setRunning(false)
        }
        bank.setRunning(true)
        #expect(log.waitForEnd(of: producer.ring))
        #expect(log.marks.map(\.0.kind) == [.position, .itemEnd])
        bank.shutDown(within: .seconds(5))
        let wav = try Wav(folder.file("a.wav"))
        #expect(isRamp(wav, frames: 20_000))
        #expect(wav.promisedBytes == 80_000)
        let isAttached = producer.isAttached(slot: 0)
        #expect(!isAttached)
    }

    @Test func laterItemsAreResampledToTheFirstFormat() throws {
        let folder = try ScratchFolder()
        let log = EventLog()
        let bank = try OutputBank([OutputSpec(parsing: "wav-untimed:\(folder.file("a.wav"))")]) {
            log.add($0)
        }
        var first = RingProducer(SampleRing(format: stereo, frames: 65_536, producerWake: WakePoint()))
        let mono = AudioFormat(sampleRate: 22_050, channels: 1)
        var second = RingProducer(SampleRing(format: mono, frames: 65_536, producerWake: WakePoint()))
        first.attach(slot: 0)
        second.attach(slot: 0)
        Ramp.produce(&first, frames: 1_000)
        first.end(successor: second.ring)
        Ramp.produce(&second, frames: 11_025)
        second.end(successor: nil)
        try bank.play(first.ring)
        bank.setRunning(true)
        #expect(log.waitForEnd(of: second.ring))
        bank.shutDown(within: .seconds(5))
        let wav = try Wav(folder.file("a.wav"))
        #expect(wav.rate == 44_100)
        #expect(wav.channels == 2)
        #expect(wav.frames == 1_000 + 22_050)
    }

    @Test func seekDropsWhatWasNotHeard() throws {
        let folder = try ScratchFolder()
        let log = EventLog()
        let bank = try OutputBank([OutputSpec(parsing: "wav:\(folder.file("a.wav"))")]) { log.add($0) }
        var producer = RingProducer(SampleRing(format: stereo, frames: 65_536, producerWake: WakePoint()))
        producer.attach(slot: 0)
        Ramp.produce(&producer, frames: 40_000)
        try bank.play(producer.ring)
        bank.setRunning(true)
        log.wait { if case .clock(_, _, _, running: true) = $0.kind { true } else { false } }
        producer.flush()
        bank.flushed()
        Ramp.produce(&producer, frames: 4_000)
        producer.end(successor: nil)
        #expect(log.waitForEnd(of: producer.ring))
        bank.shutDown(within: .seconds(5))
        let wav = try Wav(folder.file("a.wav"))
        let head = wav.frames - 4_000
        #expect(head < 40_000)
        // 5 ms fade out, up to 20 ms of silence follow, 8 ms fade in: all else is as it was.
        #expect(
            (0..<max(0, head - 1_400)).allSatisfy { Int(wav.samples[2 * $0]) == Ramp.value($0, channel: 0) })
        #expect(
            (400..<4_000).allSatisfy {
                Int(wav.samples[2 * (head + $0)]) == Ramp.value(40_000 + $0, channel: 0)
            })
    }

    /// What is cut off fades out and what comes instead fades in; a pause changes nothing.
    @Test(arguments: [false, true])
    func aSeekLeavesNoJump(isPaused: Bool) throws {
        let folder = try ScratchFolder()
        let log = EventLog()
        let bank = try OutputBank([OutputSpec(parsing: "wav:\(folder.file("a.wav"))")]) { log.add($0) }
        var producer = RingProducer(SampleRing(format: stereo, frames: 65_536, producerWake: WakePoint()))
        producer.attach(slot: 0)
        Tone.produce(&producer, frames: 40_000)
        try bank.play(producer.ring)
        bank.setRunning(true)
        log.wait { if case .clock(_, let frame, _, running: true) = $0.kind { frame >= 0 } else { false } }
        if isPaused {
            bank.setRunning(false)
            log.wait { if case .clock(_, _, _, running: false) = $0.kind { true } else { false } }
        }
        producer.flush()
        bank.flushed()
        Tone.produce(&producer, frames: 4_000)
        producer.end(successor: nil)
        bank.setRunning(true)
        #expect(log.waitForEnd(of: producer.ring))
        bank.shutDown(within: .seconds(5))
        let left = try Wav(folder.file("a.wav")).samples.enumerated().filter { $0.offset % 2 == 0 }.map(
            \.element)
        let steps = zip(left, left.dropFirst()).map { abs(Int($1) - Int($0)) }
        #expect(steps.max() ?? 0 < 32_768 / 16)
    }

    @Test func fileThatCannotBeWrittenIsToldAtTheStart() throws {
        let log = EventLog()
        let bank = try OutputBank([OutputSpec(parsing: "wav:/nonexistent/a.wav")]) { log.add($0) }
        #expect(
            log.wait { if case .failed(let text) = $0.kind { text.contains("nonexistent") } else { false } })
        bank.shutDown(within: .seconds(5))
    }
}
