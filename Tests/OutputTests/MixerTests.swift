import Base
import Support
import Testing

@testable import Output

@Suite struct MixerTests {
    private let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

    private struct Playing {
        let card: FakeCard
        let session: Session

        /// The percent and mute that were told last.
        var told: (percent: Double, isMuted: Bool)? {
            for event in session.log.all.reversed() {
                if case .volume(let percent, let isMuted) = event.kind { return (percent, isMuted) }
            }
            return nil
        }

        func hears(_ percent: Double, isMuted: Bool = false) -> Bool {
            session.log.wait { _ in
                told.map { abs($0.percent - percent) < 0.5 && $0.isMuted == isMuted } ?? false
            }
        }
    }

    /// Plays a constant, so that what the card got shows what was done in software.
    private func play(before: (FakeCard, Session) throws -> Void = { _, _ in }) throws -> Playing {
        let card = try FakeCard("PATIENT=1,FORMAT=S32_LE")
        let session = try Session([card.spec(mixer: card.mixer)])
        try before(card, session)
        try session.play(try Feeder(stereo, total: 4_000_000) { _, _ in 0.5 }, running: false)
        #expect(session.run(true))
        return Playing(card: card, session: session)
    }

    @Test func theFirstTimeTheMixersOwnVolumeCounts() throws {
        // -18 dB of 60 dB a factor of ten.
        let playing = try play { card, _ in try card.setMixer(64) }
        #expect(playing.hears(50.1))
        #expect(playing.card.mixerState == "64 1")
    }

    @Test func aVolumeThatWasChosenIsSet() throws {
        let playing = try play { card, session in
            try card.setMixer(10)
            session.bank.setGain(VolumeCurve.gain(percent: 50))
        }
        #expect(comesTrue { playing.card.mixerState == "64 1" })
        #expect(playing.told == nil)
        // The card gets the sound as it is.
        #expect(comesTrue { playing.card.samples().count > 1_000 })
        #expect(playing.card.samples().allSatisfy { abs($0) == 1 << 30 })
    }

    @Test func whatAnotherProgramSetsIsToldAlsoWhilePaused() throws {
        let playing = try play()
        try playing.card.setMixer(80)
        #expect(playing.hears(68.1))
        #expect(playing.session.run(false))
        try playing.card.setMixer(60)
        #expect(playing.hears(46.4))
        try playing.card.setMixer(60, isOn: false)
        #expect(playing.hears(46.4, isMuted: true))
        playing.session.bank.stop()
        try playing.card.setMixer(100)
        #expect(playing.hears(100))
    }

    /// What is near enough is left as the other program has set it, and nothing that we set is told.
    @Test func ourOwnChangesAreNotTold() throws {
        let playing = try play()
        try playing.card.setMixer(79)
        #expect(playing.hears(66.8))
        let count = playing.session.log.all.count { if case .volume = $0.kind { true } else { false } }
        playing.session.bank.setGain(VolumeCurve.gain(percent: 67))
        playing.session.bank.setGain(VolumeCurve.gain(percent: 67.3))
        playing.session.bank.setGain(0)
        #expect(comesTrue { playing.card.mixerState == "79 0" })
        playing.session.bank.setGain(VolumeCurve.gain(percent: 20))
        #expect(comesTrue { playing.card.mixerState == "16 1" })
        try playing.card.setMixer(90)
        #expect(playing.hears(82.5))
        #expect(
            playing.session.log.all.count { if case .volume = $0.kind { true } else { false } } == count + 1)
    }

    @Test func aCardThatCameBackIsAsLoudAsItWas() throws {
        let playing = try play { _, session in session.bank.setGain(VolumeCurve.gain(percent: 50)) }
        #expect(comesTrue { playing.card.mixerState == "64 1" })
        playing.card.set("gone")
        #expect(playing.session.log.wait { if case .lost = $0.kind { true } else { false } })
        // As a driver does that is loaded anew.
        try playing.card.setMixer(100)
        playing.card.clear("gone")
        #expect(playing.session.log.wait { if case .back = $0.kind { true } else { false } })
        #expect(comesTrue { playing.card.mixerState == "64 1" })
    }

    @Test(arguments: [
        (MixerName(card: "nosuch", element: nil), "nosuch"),
        (MixerName(card: nil, element: nil), "mixer=hw:0"),
    ])
    func withoutAMixerTheVolumeIsInSoftwareAndThatIsTold(mixer: MixerName, word: String) throws {
        let card = try FakeCard("PATIENT=1,FORMAT=S32_LE")
        let session = try Session([card.spec(mixer: mixer)])
        session.bank.setGain(0.5)
        try session.play(try Feeder(stereo, total: 400_000) { _, _ in 0.5 })
        #expect(
            session.log.wait { if case .remark(let text?) = $0.kind { text.contains(word) } else { false } })
        #expect(comesTrue { card.samples().count > 4_410 })
        #expect(card.samples()[1_000] == 1 << 29)
    }
}
