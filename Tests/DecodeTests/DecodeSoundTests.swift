import Base
import Glibc
import Testing

@testable import Decode

/// Crossfades and gains, as they come out of the decode thread.
@Suite struct DecodeSoundTests {
    private static let second = 44_100

    private func source(_ name: String) -> FakeSource { FakeSource(Fixtures.data(name)) }

    private func started(
        _ name: String, crossfade: Double = 0, mode: ReplayGainMode = .off, _ loudness: ItemLoudness = .init()
    ) -> Listening {
        let listening = Listening()
        var settings = SoundSettings()
        settings.crossfade = crossfade
        settings.replayGain = mode
        listening.post(.setSound(settings))
        listening.post(.setSlots(1))
        listening.post(.open(DecodeItem(token: 1, source: source(name), name: name, loudness: loudness)))
        return listening
    }

    /// The largest step from one frame to the next in the left channel.
    private func largestStep(_ samples: some Collection<Float>) -> Float {
        let left = Array(samples).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        return zip(left, left.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    // MARK: Crossfades

    @Test(arguments: [0.5, 3])
    func oneItemFadesIntoTheNextAndTheMiddleIsWhereTheNextIsHeard(crossfade: Double) throws {
        let listening = started("gapless-10s.mp3", crossfade: crossfade)
        listening.next(2, source("gapless-7s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        let fade = Int(crossfade * 44_100)
        #expect(output.frames == 441_000 + 308_700 - fade)
        let heard = output.segments[0].samples
        let first = Decoded.file("gapless-10s.mp3").samples
        let second = Decoded.file("gapless-7s.mp3").samples
        #expect(Array(heard[..<((441_000 - fade) * 2)]) == Array(first[..<((441_000 - fade) * 2)]))
        #expect(Array(heard[(441_000 * 2)...]) == Array(second[(fade * 2)...]))
        #expect(largestStep(heard) < 0.04)
        #expect(
            output.marks == [
                .init(segment: 0, frame: 0, meaning: .position(token: 1, seconds: 0)),
                .init(
                    segment: 0, frame: 441_000 - fade + fade / 2,
                    meaning: .position(token: 2, seconds: crossfade / 2)),
                .init(segment: 0, frame: output.frames, meaning: .itemEnd(token: 2)),
            ])
    }

    @Test func itemsOfAnAlbumThatJoinWithoutASeamDoNotFade() throws {
        let tags = ID3Fixture.text("TALB", "One")
        let listening = started("part0.mp3", crossfade: 1)
        let parts = ["part0.mp3", "part1.mp3"].map { tags + Fixtures.data($0) }
        listening.post(.open(DecodeItem(token: 2, source: FakeSource(parts[0]), name: "0")))
        listening.next(3, FakeSource(parts[1]))
        _ = listening.wait { if case .opened(3, _) = $0 { true } else { nil } }
        var output = Listening.Output(listening, try #require(listening.lastRing))
        output.hear()
        #expect(output.frames == 150_002)
    }

    @Test func itemsOfDifferentFormatsDoNotFade() throws {
        let listening = started("gapless-7s.mp3", crossfade: 2)
        listening.next(2, source("gapless-mono48-3s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.segments.map(\.frames) == [308_700, 144_000])
    }

    @Test func aFadeIsTakenBackWhenSomethingElseIsToFollow() throws {
        let listening = started("gapless-10s.mp3", crossfade: 3)
        listening.next(2, source("gapless-7s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 7 * Self.second + 20_000)
        listening.post(.next(nil))
        _ = listening.wait { if case .flushed = $0 { true } else { nil } }
        output.hear(until: 441_000)
        #expect(output.frames == 441_000)
        let first = Decoded.file("gapless-10s.mp3").samples
        // It goes on where it was heard, without what was mixed into it.
        let tail = first.suffix(2 * (441_000 - 7 * Self.second - 20_000))
        #expect(
            Sound.firstDifference(Array(output.segments[0].samples.suffix(tail.count)), Array(tail)) == nil)
    }

    @Test func aSeekInAFadeGoesBackToTheItemThatIsStillHeard() throws {
        let listening = started("gapless-10s.mp3", crossfade: 3)
        listening.next(2, source("gapless-7s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 7 * Self.second + 20_000)
        listening.post(.seek(token: 1, seconds: 2))
        #expect(listening.wait { if case .seeked(1, let seconds) = $0 { seconds } else { nil } } == 2)
        output.hear()
        let meanings = output.marks.map(\.meaning)
        #expect(
            meanings == [
                .position(token: 1, seconds: 0), .position(token: 1, seconds: 2),
                .position(token: 2, seconds: 1.5), .itemEnd(token: 2),
            ])
        #expect(output.frames == 7 * Self.second + 20_000 + (8 + 7 - 3) * Self.second)
    }

    @Test func aSeekInTheNextItemEndsTheFade() throws {
        let listening = started("gapless-10s.mp3", crossfade: 3)
        listening.next(2, source("gapless-7s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 9 * Self.second)
        listening.post(.seek(token: 2, seconds: 5))
        #expect(listening.wait { if case .seeked(2, let seconds) = $0 { seconds } else { nil } } == 5)
        output.hear()
        let second = Decoded.file("gapless-7s.mp3").samples
        #expect(Array(output.segments[0].samples.suffix(2 * 88_200)) == Array(second.suffix(2 * 88_200)))
    }

    // MARK: Scans

    /// The places of an item at which pieces were heard.
    private func places(_ output: borrowing Listening.Output) -> [Double] {
        output.marks.compactMap { if case .position(1, let seconds) = $0.meaning { seconds } else { nil } }
    }

    @Test func aScanForwardIsHeardInPiecesAndEndsTheItem() throws {
        let listening = started("gapless-10s.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: Self.second)
        listening.post(.scan(token: 1, .forward))
        _ = listening.wait { if case .seeked(1, let seconds) = $0 { seconds } else { nil } }
        output.hear()
        #expect(places(output) == [0, 1, 3, 5, 7, 9])
        #expect(output.frames == Self.second + 5 * 8820)
        #expect(largestStep(output.segments[0].samples[(2 * Self.second + 2)...]) < 0.04)
    }

    @Test func aScanBackwardPlaysOnFromTheStart() throws {
        let listening = started("gapless-10s.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 5 * Self.second)
        listening.post(.scan(token: 1, .backward))
        _ = listening.wait { if case .seeked(1, let seconds) = $0 { seconds } else { nil } }
        output.hear()
        #expect(places(output) == [0, 5, 3, 1, 0])
        #expect(output.frames == 5 * Self.second + 3 * 8820 + 441_000)
    }

    @Test func aSeekEndsAScan() throws {
        let listening = started("gapless-10s.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: Self.second)
        listening.post(.scan(token: 1, .forward))
        output.hear(until: Self.second + 10_000)
        listening.post(.seek(token: 1, seconds: 8))
        _ = listening.wait { if case .seeked(1, 8) = $0 { true } else { nil } }
        output.hear()
        let tail = Decoded.file("gapless-10s.mp3").samples.suffix(2 * 88_200)
        #expect(Array(output.segments[0].samples.suffix(tail.count)) == Array(tail))
    }

    // MARK: Gains

    @Test func aGainChangesTheSoundAndNothingElse() throws {
        var loudness = ItemLoudness()
        loudness.stationGain = -6
        let listening = started("gapless-7s.mp3", loudness)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        let factor = Float(pow(10, -6 / 20.0))
        let expected = Decoded.file("gapless-7s.mp3").samples.map { $0 * factor }
        #expect(Sound.firstDifference(output.segments[0].samples, expected) == nil)
    }

    @Test func whatIsMadeLouderIsLimitedNotClipped() throws {
        var loudness = ItemLoudness()
        loudness.stationGain = 18
        let listening = started("gapless-7s.mp3", loudness)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        let peak = output.segments[0].samples.lazy.map(abs).max() ?? 0
        #expect(peak <= 1 && peak > 0.9)
    }

    @Test func aChangeOfGainDoesNotClick() throws {
        var loudness = ItemLoudness()
        loudness.measured = MeasuredLoudness(lufs: -6, seconds: 7)
        let listening = started("gapless-7s.mp3", loudness)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 60_000)
        var settings = SoundSettings()
        settings.replayGain = .track
        listening.post(.setSound(settings))
        output.hear()
        let heard = output.segments[0].samples
        let peak = heard.suffix(44_100).lazy.map(abs).max() ?? 0
        #expect(abs(peak / 0.3 - Float(pow(10, -12 / 20.0))) < 0.02)
        #expect(largestStep(heard) < 0.03)
    }

    @Test func whatHasNoTagsIsMeasuredAndPlayedEquallyLoudTheNextTime() throws {
        var loudness = ItemLoudness()
        loudness.key = 77
        let listening = started("gapless-7s.mp3", mode: .auto, loudness)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        let found = listening.wait { if case .measured(77, let found) = $0 { found } else { nil } }
        let measured = try #require(found)
        // A tone of amplitude 0.3 in both channels: 20 log 0.3 - 0.691, and what the filter does at 441 Hz.
        #expect(abs(measured.lufs + 11.1) < 1)
        #expect(abs(measured.seconds - 7) < 0.01)
        loudness.measured = measured
        listening.post(
            .open(DecodeItem(token: 2, source: source("gapless-7s.mp3"), name: "2", loudness: loudness)))
        _ = listening.wait { if case .buffered(2, _, _) = $0 { true } else { nil } }
        var second = Listening.Output(listening, try #require(listening.lastRing))
        second.hear(until: 100_000)
        let factor = Float(pow(10, (-18 - measured.lufs) / 20))
        let expected = Decoded.file("gapless-7s.mp3").samples[..<200_000].map { $0 * factor }
        #expect(Sound.firstDifference(second.segments[0].samples, expected) == nil)
    }

    @Test func aStationComesToItsGainWhileItIsHeard() throws {
        let listening = Listening()
        var settings = SoundSettings()
        settings.replayGain = .track
        listening.post(.setSound(settings))
        listening.post(.setSlots(1))
        var loudness = ItemLoudness()
        loudness.key = 5
        let live = FakeSource.Manner(isLocal: false, isSeekable: false, isLive: true, hasLength: false)
        let stream = (0..<11).flatMap { _ in Fixtures.data("song.mp3") }
        listening.post(
            .open(DecodeItem(token: 1, source: FakeSource(stream, live), name: "live", loudness: loudness)))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 30 * Self.second)
        loudness.measured = listening.wait { if case .measured(5, let found) = $0 { found } else { nil } }
        let gain = GainChoice.decibels(settings, tags: ReplayGain(), loudness)
        #expect(gain < -3)
        let samples = output.segments[0].samples
        let before = samples[..<88_200].lazy.map(abs).max() ?? 0
        let after = samples.suffix(88_200).lazy.map(abs).max() ?? 0
        #expect(abs(20 * log10(Double(after / before)) - gain) < 0.3)
        #expect(largestStep(samples) < 0.04)
    }

    @Test func whileItIsOffNothingIsMeasured() throws {
        let listening = started("gapless-7s.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(!listening.told.contains { if case .measured = $0 { true } else { false } })
    }
}

/// Tags made for a test.
enum ID3Fixture {
    /// A tag of version 2.4 with one text frame.
    static func text(_ name: String, _ value: String) -> [UInt8] {
        let content = [3] + Array(value.utf8)
        let frame = Array(name.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }
}
