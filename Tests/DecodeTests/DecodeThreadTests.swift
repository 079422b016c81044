import Base
import Testing

@testable import Decode

@Suite struct DecodeThreadTests {
    private func source(_ name: String, _ manner: FakeSource.Manner = .init()) -> FakeSource {
        FakeSource(Fixtures.data(name), manner)
    }

    private func started(_ name: String, _ manner: FakeSource.Manner = .init()) -> Listening {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, source(name, manner))
        return listening
    }

    // MARK: One item

    @Test(arguments: [
        FakeSource.Manner(), FakeSource.Manner(piece: 3000, waitEvery: 4, isLocal: false),
        FakeSource.Manner(piece: 700, waitEvery: 2, isLocal: false, isSeekable: false),
    ])
    func anItemIsHeardWholeWithItsMarks(manner: FakeSource.Manner) throws {
        let listening = started("gapless-7s.mp3", manner)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.frames == 308_700)
        #expect(output.segments[0].samples == Decoded.file("gapless-7s.mp3").samples)
        #expect(
            output.marks == [
                .init(segment: 0, frame: 0, meaning: .position(token: 1, seconds: 0)),
                .init(segment: 0, frame: 308_700, meaning: .itemEnd(token: 1)),
            ])
    }

    @Test func aRingThatNobodyHearsIsFilledForASecondAtMost() throws {
        let listening = started("gapless-10s.mp3")
        let ring = try #require(listening.ring())
        let full = listening.wait { event -> Int? in
            if case .buffered(_, let frames, _) = event, frames > 40000 { frames } else { nil }
        }
        #expect(full ?? 0 <= 44100)
        #expect(ring.producedFrames <= 44100)
    }

    @Test func withoutAnOutputNothingIsDecodedUntilOneIsAttached() throws {
        let listening = Listening()
        listening.open(1, source("gapless-7s.mp3"))
        let ring = try #require(listening.ring())
        #expect(ring.producedFrames == 0)
        listening.post(.attach(slot: 2))
        let attached = listening.wait { if case .attached(2, let ring) = $0 { ring } else { nil } }
        #expect(attached === ring)
        var output = Listening.Output(listening, ring, slot: 2)
        output.hear()
        #expect(output.frames == 308_700)
    }

    @Test func aSecondOutputJoinsWhereTheFirstOneIs() throws {
        let listening = started("gapless-7s.mp3")
        let ring = try #require(listening.ring())
        var first = Listening.Output(listening, ring)
        first.hear(until: 100_000)
        listening.post(.attach(slot: 1))
        _ = listening.wait { if case .attached(1, _) = $0 { true } else { nil } }
        var second = Listening.Output(listening, ring, slot: 1)
        second.hear(until: 1000)
        let expected = Decoded.file("gapless-7s.mp3").samples[200_000..<202_000]
        #expect(second.segments[0].samples == Array(expected))
    }

    @Test func metadataIsMarkedAtTheFrameOfItsByte() throws {
        let items = [0, 20_000].map {
            TimedMetadata(source: .icy, fields: [.init("StreamTitle", "\($0)")], offset: Int64($0))
        }
        let listening = started("song.mp3", .init(metadata: items))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        let marks = output.marks.filter { if case .metadata = $0.meaning { true } else { false } }
        #expect(marks.map(\.meaning) == items.map { .metadata(token: 1, $0) })
        #expect(marks.map(\.frame) == [0, 48 * 1152])
    }

    @Test func moreMetadataThanMarksFitIsNotLost() throws {
        let items = (0..<200).map {
            TimedMetadata(source: .icy, fields: [.init("StreamTitle", "\($0)")], offset: Int64($0 * 200))
        }
        let listening = started("song.mp3", .init(metadata: items))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.marks.filter { if case .metadata = $0.meaning { true } else { false } }.count == 200)
        #expect(output.frames == 116 * 1152)
    }

    @Test func aChangeOfFormatSucceedsTheRing() throws {
        let listening = started("changes.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.segments.map(\.format.sampleRate) == [44100, 48000, 22050, 44100])
        #expect(output.frames == Decoded.file("changes.mp3").frames)
    }

    // MARK: Items one after the other

    @Test func threePartsOfOneRecordingJoinWithoutAGap() throws {
        let listening = started("part0.mp3")
        listening.next(2, source("part1.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 75_000)
        listening.next(3, source("part2.mp3"))
        output.hear()
        #expect(output.frames == 264_600)
        let parts = ["part0.mp3", "part1.mp3", "part2.mp3"].flatMap { Decoded.file($0).samples }
        #expect(output.segments[0].samples == parts)
        #expect(
            output.marks.map(\.meaning) == [
                .position(token: 1, seconds: 0), .itemEnd(token: 1), .position(token: 2, seconds: 0),
                .itemEnd(token: 2), .position(token: 3, seconds: 0), .itemEnd(token: 3),
            ])
        #expect(output.marks.map(\.frame) == [0, 70_001, 70_001, 150_002, 150_002, 264_600])
    }

    @Test func anotherFormatFollowsInASecondRing() throws {
        let listening = started("gapless-7s.mp3")
        listening.next(2, source("gapless-mono48-3s.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.segments.map(\.frames) == [308_700, 144_000])
        #expect(output.segments[1].format == AudioFormat(sampleRate: 48000, channels: 1))
    }

    @Test func whatFollowsMayComeAfterTheEndWasDecoded() throws {
        let listening = started("part0.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 60_000)
        _ = listening.wait { if case .decodedToEnd(1) = $0 { true } else { nil } }
        listening.next(2, source("part1.mp3"))
        output.hear(until: 150_002)
        #expect(output.frames == 150_002)
    }

    @Test func aNextItemThatCannotBePlayedLeavesTheFirstWhole() throws {
        let listening = started("gapless-7s.mp3")
        listening.next(2, source("page.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.frames == 308_700)
        let code = listening.wait { if case .failed(2, let failure) = $0 { failure.code } else { nil } }
        #expect(code == .unsupportedFormat)
    }

    // MARK: Seeking

    @Test func aSeekDropsWhatWasNotHeardAndLandsExactly() throws {
        let listening = started("gapless-10s.mp3")
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 30_000)
        listening.post(.seek(token: 1, seconds: 5))
        #expect(listening.wait { if case .seeked(1, let seconds) = $0 { seconds } else { nil } } == 5)
        output.hear()
        #expect(output.frames == 30_000 + 441_000 - 220_500)
        let expected = Decoded.file("gapless-10s.mp3").samples[441_000...]
        let heard = Array(output.segments[0].samples[60_000...])
        #expect(Sound.firstDifference(heard, Array(expected)) == nil)
        #expect(output.marks[1].meaning == .position(token: 1, seconds: 5))
    }

    @Test func aSeekGoesBackToTheItemThatIsStillHeard() throws {
        let listening = started("part0.mp3")
        listening.next(2, source("part1.mp3"))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 50_000)
        _ = listening.wait { if case .mark(_, .position(2, _)) = $0 { true } else { nil } }
        listening.post(.seek(token: 1, seconds: 1))
        _ = listening.wait { if case .seeked = $0 { true } else { nil } }
        output.hear(until: 50_000 + 70_001 - 44_100 + 80_001)
        let first = Decoded.file("part0.mp3").samples[88_200...]
        let second = Decoded.file("part1.mp3").samples
        let heard = output.segments[0].samples[100_000...]
        #expect(Sound.firstDifference(Array(heard), first + second) == nil)
    }

    @Test func anItemMayBeginInItsMiddle() throws {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, source("gapless-10s.mp3"), at: 9)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear()
        #expect(output.frames == 44_100)
        #expect(output.marks.first?.meaning == .position(token: 1, seconds: 9))
    }

    @Test func aLiveStreamRefusesToSeek() throws {
        let listening = started(
            "song.mp3", .init(isLocal: false, isSeekable: false, isLive: true, hasLength: false))
        _ = try #require(listening.ring())
        listening.post(.seek(token: 1, seconds: 1))
        #expect(listening.wait { if case .seekRefused(1) = $0 { true } else { nil } } == true)
    }

    // MARK: Waiting and stopping

    @Test func waitingForBytesIsToldAndEnds() throws {
        let late = source("gapless-7s.mp3", .init(allowed: 30_000, isLocal: false))
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, late)
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 60_000)
        #expect(listening.wait { if case .waiting(1) = $0 { true } else { nil } } == true)
        late.allow(.max)
        output.hear()
        #expect(output.frames == 308_700)
    }

    @Test(arguments: [0, 5000, 30_000])
    func aWaitIsLeftForAnotherItem(allowed: Int64) throws {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, source("gapless-7s.mp3", .init(allowed: allowed, isLocal: false)))
        if allowed == 30_000, let ring = listening.ring() {
            var output = Listening.Output(listening, ring)
            output.hear(until: 60_000)
        }
        _ = listening.wait { if case .waiting(1) = $0 { true } else { nil } }
        listening.open(2, source("part0.mp3"))
        _ = listening.wait { if case .buffered(2, _, _) = $0 { true } else { nil } }
        var output = Listening.Output(listening, try #require(listening.lastRing))
        output.hear(until: 70_001)
        #expect(output.segments[0].samples == Decoded.file("part0.mp3").samples)
    }

    @Test func stoppingEndsTheRing() throws {
        let listening = started("gapless-10s.mp3")
        let ring = try #require(listening.ring())
        listening.post(.stop)
        _ = listening.wait { if case .flushed = $0 { true } else { nil } }
        #expect(ring.end != nil)
        listening.open(2, source("part0.mp3"))
        #expect(listening.wait { if case .opened(2, _) = $0 { true } else { nil } } == true)
    }

    @Test func anEmptyItemFails() {
        let listening = started("nothing.mp3")
        let code = listening.wait { if case .failed(1, let failure) = $0 { failure.code } else { nil } }
        #expect(code == .empty)
    }

    @Test func aLengthThatWasGuessedIsCorrectedAtTheEnd() throws {
        let late = source("vbr.mp3", .init(allowed: 20_000, isLocal: false))
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, late)
        let ring = try #require(listening.ring())
        late.allow(.max)
        var output = Listening.Output(listening, ring)
        output.hear()
        let length = listening.wait { if case .lengthKnown(1, let frames) = $0 { frames } else { nil } }
        #expect(length == output.frames)
    }

    // MARK: Skipping

    @Test(arguments: [
        ("gapless-7s.mp3", 44_100), ("gapless-7s.mp3", 430_000), ("gapless-mono48-3s.mp3", 44_100),
        ("gapless-mono48-3s.mp3", 430_000),
    ])
    func whatFollowsIsHeardFromItsFirstFrameWhenItIsSkippedTo(name: String, heard: Int) throws {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, FakeSource(Fixtures.data("gapless-10s.mp3")))
        listening.next(2, FakeSource(Fixtures.data(name)))
        let old = try #require(listening.ring())
        var before = Listening.Output(listening, old)
        before.hear(until: heard)
        listening.post(.skip(token: 2))
        _ = listening.wait { if case .flushed = $0 { true } else { nil } }
        let ring = listening.wait { if case .ring(let ring) = $0, ring !== old { ring } else { nil } }
        var output = Listening.Output(listening, try #require(ring))
        output.hear()
        #expect(output.segments.map(\.samples) == [Decoded.file(name).samples])
        #expect(output.marks.first?.meaning == .position(token: 2, seconds: 0))
    }

    @Test func whatWasNeverToFollowIsNotSkippedTo() throws {
        let listening = Listening()
        listening.post(.setSlots(1))
        listening.open(1, FakeSource(Fixtures.data("gapless-7s.mp3")))
        var output = Listening.Output(listening, try #require(listening.ring()))
        output.hear(until: 1_000)
        listening.post(.skip(token: 9))
        output.hear()
        #expect(output.frames == 308_700)
    }
}
