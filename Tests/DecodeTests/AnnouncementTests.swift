import Base
import Glibc
import Testing

@testable import Decode

/// Announcements over an item, as they come out of the decode thread.
@Suite struct AnnouncementTests {
    private static let second = 44_100
    private static let ramp = second / 4
    private static let music = Decoded.file("gapless-10s.mp3").samples

    /// An item that was heard for a second.
    private func playing(_ name: String = "gapless-10s.mp3") throws -> (Listening, SampleRing) {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.post(.open(DecodeItem(token: 1, source: FakeSource(Fixtures.data(name)), name: name)))
        return (listening, try #require(listening.ring()))
    }

    private func announce(
        _ listening: Listening, _ token: Int, _ source: FakeSource, item: Float = 1, announcement: Float = 1
    ) {
        listening.post(
            .announce(
                DecodeItem(token: token, source: source, name: "\(token)"),
                AnnouncementShares(announcement: announcement, item: item)))
    }

    /// Announces, and waits until it is mixed into what is in the ring.
    private func announce(_ listening: Listening, _ token: Int, _ name: String) {
        announce(listening, token, FakeSource(Fixtures.data(name)))
        _ = listening.wait {
            switch $0 {
            case .opened(token, _), .failed(token, _): true
            default: nil
            }
        }
        listening.post(.attach(slot: 0))
        _ = listening.wait { if case .attached(0, _) = $0 { true } else { nil } }
    }

    /// What was told of announcements, in order.
    private func told(_ listening: Listening) -> [String] {
        listening.told.compactMap {
            switch $0 {
            case .announcing(let token): "begins \(token)"
            case .announced(let token): "ends \(token)"
            case .failed(let token, let failure): "\(failure.code.rawValue) \(token)"
            default: nil
            }
        }
    }

    private func waitForEnd(_ listening: Listening, _ token: Int) {
        _ = listening.wait { if case .announced(token) = $0 { true } else { nil } }
    }

    /// The frame at which what was heard differs from the item alone, and the frame from which it does not any more.
    private func changed(_ heard: [Float], _ alone: [Float] = music) -> Range<Int>? {
        guard let first = Sound.firstDifference(heard, alone) else { return nil }
        let last = Sound.firstDifference(heard.reversed(), alone.reversed()) ?? 0
        return first / 2..<(heard.count - last) / 2
    }

    @Test func theItemGoesOnMoreQuietlyBeneathIt() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        output.hear(until: Self.second)
        announce(listening, 9, "gapless-7s.mp3")
        output.hear()
        let heard = output.segments[0].samples
        let span = try #require(changed(heard))
        #expect(span.lowerBound > Self.second)
        // Not even the first frame of a ramp differs by more than rounding.
        let speech = Decoded.file("gapless-7s.mp3").samples
        let start = try #require(
            (span.lowerBound - 40...span.lowerBound).first { start in
                let from = (start + Self.ramp) * 2
                let expected = (0..<2 * Self.second).map { Self.music[from + $0] * 0.2 + speech[$0] }
                return Sound.firstDifference(Array(heard[from..<from + 2 * Self.second]), expected) == nil
            })
        #expect(heard.count == Self.music.count)
        #expect(span.upperBound <= start + Self.ramp + 7 * Self.second + Self.second)
        waitForEnd(listening, 9)
        #expect(told(listening) == ["begins 9", "ends 9"])
        #expect(
            output.marks.map(\.meaning) == [.position(token: 1, seconds: 0), .itemEnd(token: 1)])
    }

    @Test func whatIsDecodedAlreadyIsChangedWhereNoOutputHasTakenIt() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        output.hear(until: Self.second)
        // The ring is full: a second of it would be heard before anything new.
        let deadline = MonotonicTime.now + .seconds(20)
        while ring.producedFrames < 2 * Self.second, MonotonicTime.now < deadline { Glibc.sched_yield() }
        announce(listening, 9, "gapless-mono48-3s.mp3")
        output.hear()
        let span = try #require(changed(output.segments[0].samples))
        // A twentieth of a second is left to the output to go on with.
        #expect(abs(span.lowerBound - Self.second - Self.second / 20) < 40)
    }

    @Test(arguments: ["gapless-mono48-3s.mp3", "rate22050.mp3", "rate8000.mp3"])
    func anotherRateIsConvertedToTheItems(name: String) throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        output.hear(until: Self.second)
        let own = Decoded.file(name)
        announce(listening, 9, name)
        output.hear()
        let span = try #require(changed(output.segments[0].samples))
        let seconds = own.segments[0].format.seconds(ofFrames: own.frames)
        let expected = seconds + 0.25 + 0.35 + 0.25
        #expect(abs(Double(span.count) / 44_100 - expected) < 0.06)
        let tone = output.segments[0].samples[
            (span.lowerBound + Self.second) * 2..<(span.lowerBound + 2 * Self.second) * 2]
        #expect((tone.map(abs).max() ?? 0) < 0.4)
        waitForEnd(listening, 9)
        #expect(told(listening) == ["begins 9", "ends 9"])
    }

    @Test func twoAreHeardOneAfterTheOtherWithoutAStepBetween() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        announce(listening, 8, "rate22050.mp3")
        output.hear(until: 4 * Self.second)
        waitForEnd(listening, 8)
        announce(listening, 9, "rate22050.mp3")
        output.hear()
        waitForEnd(listening, 9)
        #expect(told(listening) == ["begins 8", "ends 8", "begins 9", "ends 9"])
        let left = stride(from: 0, to: output.segments[0].samples.count, by: 2).map {
            output.segments[0].samples[$0]
        }
        #expect(zip(left, left.dropFirst()).allSatisfy { abs($1 - $0) < 0.05 })
        #expect(output.segments[0].samples.suffix(1_000) == Self.music.suffix(1_000))
    }

    @Test func itGoesOnOverTheNextItemAndOverAnotherFormat() throws {
        let (listening, ring) = try playing("part0.mp3")
        listening.next(2, FakeSource(Fixtures.data("gapless-mono48-3s.mp3")))
        var output = Listening.Output(listening, ring)
        announce(listening, 9, "gapless-7s.mp3")
        output.hear()
        #expect(output.segments.count == 2)
        #expect(told(listening) == ["begins 9"])
        #expect(output.segments[1].samples != Decoded.file("gapless-mono48-3s.mp3").samples)
        #expect(output.segments[1].frames == 144_000)
    }

    @Test func endedEarlyTheItemIsHeardAloneFromWhereItWas() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        announce(listening, 9, "gapless-7s.mp3")
        output.hear(until: 2 * Self.second)
        listening.post(.endAnnouncement)
        _ = listening.wait { if case .seeked(1, _) = $0 { true } else { nil } }
        output.hear()
        let heard = output.segments[0].samples
        #expect(heard.count == Self.music.count)
        let span = try #require(changed(heard))
        #expect(span.upperBound == 2 * Self.second)
        #expect(told(listening) == ["begins 9"])
    }

    @Test func whatCannotBeDecodedIsToldAndTheItemStaysAsItWas() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        announce(listening, 9, "words.mp3")
        output.hear()
        #expect(told(listening) == ["unsupported_format 9"])
        #expect(output.segments[0].samples == Self.music)
    }

    @Test func itWaitsForItsBytesAndNobodyWaitsForIt() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        let source = FakeSource(Fixtures.data("rate22050.mp3"), .init(allowed: 0, hasLength: false))
        announce(listening, 9, source)
        output.hear(until: 5 * Self.second)
        #expect(told(listening).isEmpty)
        source.allow(.max)
        output.hear()
        waitForEnd(listening, 9)
        #expect(told(listening) == ["begins 9", "ends 9"])
        #expect(try #require(changed(output.segments[0].samples)).lowerBound >= 5 * Self.second)
    }

    @Test func bothAreAsLoudAsTheirShares() throws {
        let (listening, ring) = try playing()
        var output = Listening.Output(listening, ring)
        announce(listening, 9, FakeSource(Fixtures.data("gapless-7s.mp3")), item: 0, announcement: 0.5)
        output.hear(until: 4 * Self.second)
        let peak = output.segments[0].samples[(2 * Self.second * 2)...].map(abs).max() ?? 0
        let own = Decoded.file("gapless-7s.mp3").samples.map(abs).max() ?? 0
        #expect(abs(peak - own / 2) < 0.01)
    }

    @Test(arguments: [(22_050, 44_100), (48_000, 44_100), (44_100, 22_050), (8_000, 48_000)])
    func aToneKeepsItsHeightAndLoudness(source: Int, target: Int) {
        let converter = RateConverter(from: source, to: target)
        let tone = (0..<source).map { Float(sin(2 * Double.pi * 440 * Double($0) / Double(source))) }
        var worst: Float = 0
        for frame in 200..<target - 200 {
            let place = Double(frame) * converter.step
            guard place > 16, place < Double(source - 17) else { continue }
            let wanted = Float(sin(2 * Double.pi * 440 * Double(frame) / Double(target)))
            worst = max(worst, abs(converter.value(of: tone, at: place, 0, of: 1) - wanted))
        }
        #expect(worst < 0.012)
    }
}
