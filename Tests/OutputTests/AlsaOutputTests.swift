import Base
import Support
import Testing

@testable import Output

@Suite struct AlsaOutputTests {
    private let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

    @Test(arguments: ["S16_LE", "S24_3LE", "S24_LE", "S32_LE", "FLOAT_LE"])
    func everyFormatIsPlayedAtFullLevel(format: String) throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,FORMAT=\(format)")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 30_000) { frame, channel in
            Float(Ramp.value(frame, channel: channel)) / 32768
        }
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        let values = card.values(format: format, channels: 2)
        #expect(values.count == 30_000)
        #expect(values.indices.allSatisfy { values[$0] == Double(Ramp.value($0, channel: 0)) / 32768 })
    }

    @Test(arguments: [(1, 3_000), (7, 10_000), (441, 30_000)])
    func shortWritesLoseNothing(frames: Int, total: Int) throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,SHORT=\(frames),FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: total)
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(Ramp.breaks(card.frames(), count: total) == [])
    }

    @Test func pausesAndSeeksLoseAndDoubleNothing() throws {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 400_000)
        try session.play(feeder, running: false)
        var random = SystemRandomNumberGenerator()
        for round in 0..<40 {
            #expect(session.run(true))
            // Real time is the subject: any length of play is right.
            pause(milliseconds: Int.random(in: 0...30, using: &random))
            #expect(session.run(false))
            if round % 8 == 7 { feeder.seek() }
        }
        session.finish()
        let frames = card.frames()
        let jumps = zip(frames, frames.dropFirst()).filter { $1 != $0 + 1 }
        #expect(jumps.count <= 5 || session.underruns > 0)
        #expect(jumps.allSatisfy { $1 > $0 } || session.underruns > 0)
    }

    /// By choice others may have the card during a pause; what was not heard is played then.
    @Test(arguments: [true, false])
    func aPauseFreesTheCardByChoice(isReleased: Bool) throws {
        let card = try FakeCard("PATIENT=1,FORMAT=S32_LE")
        let session = try Session([card.spec(isReleasedOnPause: isReleased)])
        let feeder = try Feeder(stereo, total: 40_000)
        try session.play(feeder, running: false)
        #expect(session.run(true))
        #expect(session.run(false))
        if isReleased { #expect(comesTrue { !card.isOpen }) } else { #expect(card.isOpen) }
        // Another program has it meanwhile.
        card.set("busy")
        session.bank.setRunning(true)
        if isReleased {
            #expect(
                session.log.wait {
                    if case .failed(let text) = $0.kind { text.contains("another program") } else { false }
                })
        }
        card.clear("busy")
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(Ramp.breaks(card.frames(), count: 40_000) == [])
    }

    @Test func cardThatCannotPauseLosesNothing() throws {
        let card = try FakeCard("NOPAUSE=1,FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 400_000)
        try session.play(feeder, running: false)
        for _ in 0..<20 {
            #expect(session.run(true))
            #expect(session.run(false))
        }
        session.finish()
        let frames = card.frames()
        // Between reading the delay and dropping some frames play; they are played again, none is left out.
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 <= $0 + 1 })
    }

    @Test func underrunIsCountedAndGoesOnWithTheSameSamples() throws {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 60_000)
        try session.play(feeder)
        for count in 1...2 {
            let before = card.bytes.count
            #expect(comesTrue { card.bytes.count > before })
            card.set("xrun")
            #expect(session.log.wait { if case .underrun(count: count) = $0.kind { true } else { false } })
        }
        #expect(session.log.waitForEnd(of: feeder.ring))
        let frames = card.frames()
        let gaps = zip(frames, frames.dropFirst()).filter { $1 != $0 + 1 }
        #expect(gaps.count <= 2)
        #expect(gaps.allSatisfy { abs($1 - $0) < 2_205 })
    }

    /// What played is played on, and no underrun is told.
    @Test func aMachineThatSleptGoesOn() throws {
        let card = try FakeCard("PATIENT=1,FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 100_000)
        try session.play(feeder)
        #expect(session.waitForClock(running: true, count: 1))
        card.set("suspend")
        #expect(comesTrue { !card.has("suspend") })
        #expect(session.waitForClock(running: true, count: 2))
        let told = session.underruns
        #expect(session.log.waitForEnd(of: feeder.ring))
        let frames = card.frames()
        let gaps = zip(frames, frames.dropFirst()).filter { $1 != $0 + 1 }
        #expect(gaps.allSatisfy { abs($1 - $0) < 2_205 })
        #expect(gaps.count <= 1 + session.underruns && told == 0 && frames.last == 99_999)
        #expect(session.log.all.allSatisfy { if case .lost = $0.kind { false } else { true } })
    }

    /// Each reason is told, and the sound is as loud as before, from where it was heard.
    @Test func aCardThatWasUnpluggedAndIsTakenByAnotherIsWaitedFor() throws {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec()])
        session.bank.setGain(0.5)
        let feeder = try Feeder(stereo, total: 60_000)
        try session.play(feeder)
        #expect(session.waitForClock(running: true, count: 1))
        card.set("gone")
        #expect(session.log.wait { if case .lost = $0.kind { true } else { false } })
        card.set("busy")
        card.clear("gone")
        #expect(
            session.log.wait {
                if case .failed(let text) = $0.kind { text.contains("another program") } else { false }
            })
        card.clear("busy")
        #expect(session.log.waitForEnd(of: feeder.ring))
        // Half of each frame's number.
        let frames = card.samples().map { Int($0 >> 7) }
        let gaps = zip(frames, frames.dropFirst()).filter { $1 != $0 + 1 }
        #expect(gaps.count <= 1 + session.underruns && gaps.allSatisfy { abs($1 - $0) < 2_205 })
        #expect(frames.last == 59_999)
    }

    @Test func cardThatGoesAwayIsFoundAgain() throws {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 60_000)
        try session.play(feeder)
        #expect(session.waitForClock(running: true, count: 1))
        card.set("gone")
        #expect(session.log.wait { if case .lost = $0.kind { true } else { false } })
        card.clear("gone")
        #expect(session.log.wait { if case .back = $0.kind { true } else { false } })
        #expect(session.log.waitForEnd(of: feeder.ring))
        let frames = card.frames()
        let gaps = zip(frames, frames.dropFirst()).filter { $1 != $0 + 1 }
        #expect(gaps.count <= 1)
        #expect(gaps.allSatisfy { abs($1 - $0) < 2_205 })
        #expect(frames.last == 59_999)
    }

    @Test func busyCardIsWaitedFor() throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,FORMAT=S32_LE")
        card.set("busy")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 30_000)
        try session.play(feeder)
        #expect(
            session.log.wait {
                if case .failed(let text) = $0.kind { text.contains("in use") } else { false }
            })
        card.clear("busy")
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(Ramp.breaks(card.frames(), count: 30_000) == [])
    }

    @Test func rateThatTheCardLacksIsResampled() throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,FORMAT=S32_LE,RATE=48000")
        let session = try Session([card.spec()])
        let sine: @Sendable (Int, Int) -> Float = { frame, _ in
            Float(0.5 * Sine.value(Double(frame) * 1000 / 96_000))
        }
        let feeder = try Feeder(AudioFormat(sampleRate: 96_000, channels: 2), total: 96_000, value: sine)
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        let samples = card.samples()
        #expect(samples.count == 48_000)
        let worst = (1_000..<47_000).map { index in
            abs(Double(samples[index]) / 2_147_483_648 - 0.5 * Sine.value(Double(index) / 48))
        }.max()
        #expect((worst ?? 1) < 0.0001)
    }

    @Test func monoComesOutOfBothChannels() throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,FORMAT=S32_LE,CHANNELS=2")
        let session = try Session([card.spec()])
        let feeder = try Feeder(AudioFormat(sampleRate: 44_100, channels: 1), total: 20_000)
        try session.play(feeder)
        #expect(session.log.waitForEnd(of: feeder.ring))
        #expect(Ramp.breaks(card.frames(), count: 20_000) == [])
        #expect(card.samples(channels: 1).count == 40_000)
    }

    @Test func formatChangesBetweenItemsAndVolumeIsKept() throws {
        let card = try FakeCard("SPEED=20,PATIENT=1,FORMAT=S32_LE")
        let session = try Session([card.spec()])
        session.bank.setGain(0.25)
        let third = try Feeder(AudioFormat(sampleRate: 22_050, channels: 2), total: 10_000)
        let second = try Feeder(
            AudioFormat(sampleRate: 48_000, channels: 2), total: 10_000, successor: third.ring)
        let first = try Feeder(stereo, total: 10_000, successor: second.ring)
        try session.play(first)
        #expect(session.log.waitForEnd(of: third.ring))
        #expect(session.openedRates == [44_100, 48_000, 22_050])
        session.bank.stop()
        let again = try Feeder(stereo, total: 10_000)
        try session.play(again)
        #expect(session.log.waitForEnd(of: again.ring))
        let item = (0..<10_000).map { Int32($0) << 6 }
        #expect(card.samples() == item + item + item + item)
    }

    @Test func stopFreesTheCard() throws {
        let card = try FakeCard("SPEED=1,FORMAT=S32_LE")
        let session = try Session([card.spec()])
        let feeder = try Feeder(stereo, total: 400_000)
        try session.play(feeder)
        #expect(session.waitForClock(running: true, count: 1))
        #expect(card.isOpen)
        session.bank.stop()
        #expect(session.log.wait { if case .closed = $0.kind { true } else { false } })
        #expect(!card.isOpen)
    }

    /// A sine that never moves by more than 0.0315 a frame.
    private static let sine: @Sendable (Int, Int) -> Float = { frame, _ in
        Float(0.5 * Sine.value(Double(frame) / 100))
    }

    /// The largest step between two frames that follow each other.
    private func largestStep(_ card: FakeCard) -> Double {
        let values = card.samples().map { Double($0) / 2_147_483_648 }
        return zip(values, values.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    }

    @Test func pausesAndSeeksAndStopDoNotClick() throws {
        // A machine that is held up in the middle of a fade cuts it: not every time, if the fade is there.
        #expect(try (1...6).contains { _ in try pausesAndSeeksAndStopWithoutAClick() })
    }

    private func pausesAndSeeksAndStopWithoutAClick() throws -> Bool {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec(rewinding: .always)])
        let feeder = try Feeder(stereo, total: 400_000, value: Self.sine)
        try session.play(feeder, running: false)
        for round in 0..<8 {
            let before = card.bytes.count
            #expect(session.run(true))
            #expect(comesTrue { card.bytes.count > before })
            if round % 3 == 2 {
                feeder.seek()
            } else {
                #expect(session.run(false))
            }
        }
        session.finish()
        // A machine that is too slow to feed the card breaks the sound by itself.
        return largestStep(card) < 0.04 || session.underruns > 0
    }

    @Test func volumeAndMuteDoNotClick() throws {
        // A machine that is held up in the middle of a fade cuts it: not every time, if the fade is there.
        #expect(try (1...6).contains { _ in try volumeAndMuteWithoutAClick() })
    }

    private func volumeAndMuteWithoutAClick() throws -> Bool {
        let card = try FakeCard("FORMAT=S32_LE")
        let session = try Session([card.spec(rewinding: .always)])
        let feeder = try Feeder(stereo, total: 400_000, value: Self.sine)
        try session.play(feeder)
        for gain: Float in [0, 1, 0.1, 0.9, 0] {
            let before = card.bytes.count
            #expect(comesTrue { card.bytes.count > before })
            session.bank.setGain(gain)
        }
        // Muted is silence to the last bit.
        #expect(comesTrue { card.samples().suffix(1_000).allSatisfy { $0 == 0 } })
        session.finish()
        // A machine that is too slow to feed the card breaks the sound by itself.
        return largestStep(card) < 0.04 || session.underruns > 0
    }

    @Test(arguments: [0, 1])
    func hungCardDoesNotHoldUpTheOther(slot: Int) throws {
        let card = try FakeCard("FORMAT=S32_LE")
        card.set("hang")
        let null = OutputSpec(name: "null", kind: .null(timed: true))
        let session = try Session(slot == 0 ? [card.spec(), null] : [null, card.spec()])
        // Long enough for the slowest machine: what is over meanwhile is not gone back to.
        let feeder = try Feeder(stereo, total: .max, slots: [0, 1])
        try session.play(feeder)
        #expect(session.log.wait { if case .leftBehind(slot) = $0.kind { true } else { false } })
        card.clear("hang")
        #expect(session.log.wait { if case .wantsRing = $0.kind { $0.slot == slot } else { false } })
        feeder.attach(slot)
        #expect(comesTrue { feeder.ring.heard(slot: slot) != nil })
        try session.bank.join(slot, feeder.ring)
        #expect(comesTrue { !card.bytes.isEmpty })
    }
}
