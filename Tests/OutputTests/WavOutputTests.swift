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
        let recording = try Recording(kind)
        _ = recording.producer.mark(.position, id: 7, at: 0)
        Ramp.produce(&recording.producer, frames: 20_000)
        _ = recording.producer.mark(.itemEnd, id: 7, at: 20_000)
        recording.producer.end(successor: nil)
        try recording.bank.play(recording.producer.ring)
        for _ in 0..<3 {
            recording.runUntilHeard()
            recording.bank.setRunning(false)
        }
        recording.bank.setRunning(true)
        #expect(recording.log.waitForEnd(of: recording.producer.ring))
        #expect(recording.log.marks.map(\.0.kind) == [.position, .itemEnd])
        let wav = try recording.wav()
        #expect(isRamp(wav, frames: 20_000))
        #expect(wav.promisedBytes == 80_000)
        let isAttached = recording.producer.isAttached(slot: 0)
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
        let recording = try Recording("wav")
        Ramp.produce(&recording.producer, frames: 40_000)
        try recording.bank.play(recording.producer.ring)
        recording.runUntilHeard()
        recording.producer.flush()
        recording.bank.flushed()
        Ramp.produce(&recording.producer, frames: 4_000)
        recording.producer.end(successor: nil)
        #expect(recording.log.waitForEnd(of: recording.producer.ring))
        let wav = try recording.wav()
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
        let recording = try Recording("wav")
        Tone.produce(&recording.producer, frames: 40_000)
        try recording.bank.play(recording.producer.ring)
        recording.runUntilHeard()
        if isPaused {
            recording.bank.setRunning(false)
            recording.log.wait { if case .clock(_, _, _, running: false) = $0.kind { true } else { false } }
        }
        recording.producer.flush()
        recording.bank.flushed()
        Tone.produce(&recording.producer, frames: 4_000)
        recording.producer.end(successor: nil)
        recording.bank.setRunning(true)
        #expect(recording.log.waitForEnd(of: recording.producer.ring))
        let left = try recording.wav().samples.enumerated().filter { $0.offset % 2 == 0 }.map(
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

/// A recording of one item, whose sound a test produces itself.
private final class Recording {
    let log = EventLog()
    let bank: OutputBank
    var producer = RingProducer(
        SampleRing(
            format: AudioFormat(sampleRate: 44_100, channels: 2), frames: 65_536, producerWake: WakePoint()))
    private let folder: ScratchFolder

    /// `kind` is `wav` or `wav-untimed`.
    init(_ kind: String) throws {
        let folder = try ScratchFolder()
        self.folder = folder
        bank = try OutputBank([OutputSpec(parsing: "\(kind):\(folder.file("a.wav"))")]) { [log] in log.add($0)
        }
        producer.attach(slot: 0)
    }

    /// Runs, and waits until the clock was told to.
    func runUntilHeard() {
        bank.setRunning(true)
        log.wait { if case .clock(_, _, _, running: true) = $0.kind { true } else { false } }
    }

    /// Ends the output; what was recorded.
    func wav() throws -> Wav {
        bank.shutDown(within: .seconds(5))
        return try Wav(folder.file("a.wav"))
    }
}
