import Base
import Testing

@testable import Decode

@Suite struct MPEGDecoderTests {
    // MARK: Counts

    @Test(arguments: [
        ("gapless-10s.mp3", 441_000, 44100, 2), ("gapless-7s.mp3", 308_700, 44100, 2),
        ("gapless-mono48-3s.mp3", 144_000, 48000, 1), ("itunes.mp3", 176_400, 44100, 2),
        ("itunes-plain.mp3", 176_400, 44100, 2),
    ])
    func delayAndPaddingAreCutExactly(name: String, frames: Int, rate: Int, channels: Int) {
        let decoded = Decoded.file(name)
        #expect(decoded.failure == nil)
        #expect(decoded.frames == frames)
        #expect(decoded.information?.frames == frames)
        #expect(decoded.information?.isEstimated == false)
        #expect(decoded.information?.format == AudioFormat(sampleRate: rate, channels: channels))
    }

    /// Nothing but the comment tells the length of what has no header and is not here yet.
    @Test(arguments: [true, false])
    func delayAndPaddingOfITunesAreCutWhileTheItemStillComes(isSeekable: Bool) {
        let decoded = Decoded.file(
            "itunes-plain.mp3", .init(isLocal: false, isSeekable: isSeekable, isSparse: true))
        #expect(decoded.frames == 176_400)
        #expect(decoded.information?.frames == 176_400 && decoded.information?.isEstimated == false)
        #expect(decoded.samples == Decoded.file("itunes-plain.mp3").samples)
    }

    /// Files that were put together of two, or cut, still have the header of one, or of the whole. Of a little more that
    /// still comes nobody knows whether it is sound or a tag.
    @Test(arguments: [(true, true), (false, true), (false, false)])
    func aHeaderOfMoreOrLessSoundThanThereIsTellsNoLength(isTwice: Bool, isHere: Bool) throws {
        let whole = Fixtures.data("gapless-10s.mp3")
        let bytes = isTwice ? whole + whole : Array(whole[..<(whole.count / 2)])
        let decoded = Decoded.bytes(bytes, .init(isLocal: isHere, isSparse: !isHere))
        let told = try #require(decoded.information?.frames)
        #expect(decoded.information?.isEstimated == !isHere)
        #expect(isHere ? told == decoded.frames : abs(Double(told) / Double(decoded.frames) - 1) < 0.02)
        #expect(abs(Double(decoded.frames) / 441_000 - (isTwice ? 2 : 0.5)) < 0.02)
    }

    struct Count: CustomTestStringConvertible, Sendable {
        let name: String
        /// The clean file, samples a frame, frames more or fewer, tolerance in samples.
        let like: (String, Int, Int, Int)
        let rate: Int
        let channels: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        Count(name: "vbr.mp3", like: ("vbr.mp3", 1152, 0, 0), rate: 44100, channels: 1),
        Count(name: "xing-zero.mp3", like: ("vbr.mp3", 1152, 0, 3000), rate: 44100, channels: 1),
        Count(name: "vbri.mp3", like: ("vbr.mp3", 1152, 0, 2400), rate: 44100, channels: 1),
        Count(name: "big-cover.mp3", like: ("song.mp3", 1152, 0, 0), rate: 44100, channels: 2),
        Count(name: "unsync23.mp3", like: ("song.mp3", 1152, 0, 0), rate: 44100, channels: 2),
        Count(name: "hidden.mp3", like: ("song.mp3", 1152, 0, 0), rate: 44100, channels: 2),
        Count(name: "ape-tail.mp3", like: ("song.mp3", 1152, 0, 0), rate: 44100, channels: 2),
        Count(name: "free.mp3", like: ("free-base.mp3", 1152, 0, 3600), rate: 48000, channels: 2),
        Count(name: "ff8.mp3", like: ("low.mp3", 576, 0, 1800), rate: 22050, channels: 1),
        Count(name: "junk.mp3", like: ("low.mp3", 576, 0, 1800), rate: 22050, channels: 1),
        Count(name: "cut.mp3", like: ("song.mp3", 1152, -1, 1152), rate: 44100, channels: 2),
        Count(name: "zeros.mp3", like: ("song.mp3", 1152, 0, 1152), rate: 44100, channels: 2),
        Count(name: "bad.mp3", like: ("six.mp3", 1152, -2, 6 * 1152), rate: 44100, channels: 2),
        Count(name: "id3-middle.mp3", like: ("six.mp3", 1152, 0, 0), rate: 44100, channels: 2),
        Count(name: "rate22050.mp3", like: ("rate22050.mp3", 576, 0, 0), rate: 22050, channels: 2),
        Count(name: "rate16000.mp3", like: ("rate16000.mp3", 576, 0, 0), rate: 16000, channels: 1),
        Count(name: "rate8000.mp3", like: ("rate8000.mp3", 576, 0, 0), rate: 8000, channels: 1),
    ])
    func oddFilesPlayWhole(_ count: Count) {
        let decoded = Decoded.file(count.name)
        let expected = (Fixtures.streamFrames(count.like.0) + count.like.2) * count.like.1
        #expect(decoded.failure == nil)
        #expect(abs(decoded.frames - expected) <= count.like.3, "\(decoded.frames) for \(expected)")
        #expect(decoded.segments.count == 1)
        #expect(
            decoded.information?.format == AudioFormat(sampleRate: count.rate, channels: count.channels))
        #expect(decoded.information?.frames ?? 0 >= decoded.frames - 1152)
        #expect(abs((decoded.information?.frames ?? 0) - expected) <= max(count.like.3, 2 * 1152))
    }

    @Test(arguments: [
        "hidden.mp3", "ape-tail.mp3", "free.mp3", "ff8.mp3", "junk.mp3", "zeros.mp3", "id3-middle.mp3",
        "rate22050.mp3", "rate16000.mp3", "rate8000.mp3", "cut.mp3", "mono.mp2", "big-cover.mp3",
    ])
    func onlyTheToneIsHeard(name: String) {
        let decoded = Decoded.file(name)
        guard let segment = decoded.segments.first, segment.frames > 10000 else {
            Issue.record("no sound")
            return
        }
        #expect(Decoded.share(of: 440, in: segment, frames: 2000..<segment.frames - 2000) > 0.97)
        #expect(Decoded.share(of: 880, in: segment) < 0.001)
    }

    @Test(arguments: ["gapless-10s.mp3", "vbr.mp3", "mono.mp2", "rate22050.mp3", "changes.mp3", "song.mp3"])
    func samplesAreThoseOfThePlayerMpg123(name: String) {
        let reference = Fixtures.reference(name)
        let samples = Decoded.file(name).samples
        #expect(Sound.firstDifference(samples, reference) == nil)
    }

    @Test func layerTwoStaysMono() {
        let decoded = Decoded.file("mono.mp2")
        #expect(decoded.information?.codec == "MP2")
        #expect(decoded.information?.format == AudioFormat(sampleRate: 48000, channels: 1))
        #expect(decoded.information?.bitrate == 96000)
        #expect(abs(decoded.frames - 192_000) < 2400)
    }

    @Test(arguments: [true, false])
    func aChangeOfFormatInTheMiddleKeepsThePitch(isLive: Bool) {
        let manner = FakeSource.Manner(
            isLocal: !isLive, isSeekable: !isLive, isLive: isLive, hasLength: !isLive)
        let decoded = Decoded.file("changes.mp3", manner)
        #expect(decoded.failure == nil)
        #expect(decoded.segments.map(\.format.sampleRate) == [44100, 48000, 22050, 44100])
        #expect(decoded.segments.map(\.format.channels) == [2, 2, 1, 2])
        for segment in decoded.segments {
            #expect(abs(segment.format.seconds(ofFrames: segment.frames) - 3) < 0.15)
            #expect(Decoded.share(of: 440, in: segment, frames: 4000..<segment.frames - 4000) > 0.97)
        }
    }

    @Test func averageBitRateOfVariableOnesIsTold() {
        let information = Decoded.file("vbr.mp3").information
        #expect(abs(Double(information?.bitrate ?? 0) - 54_000) < 5_000)
        #expect(Decoded.file("song.mp3").information?.bitrate == 128_000)
    }

    // MARK: Where bytes come from

    @Test(arguments: [
        "gapless-7s.mp3", "big-cover.mp3", "ape-tail.mp3", "id3-middle.mp3", "bad.mp3", "free.mp3",
    ])
    func oddPiecesAndWaitsChangeNothing(name: String) {
        let whole = Decoded.file(name)
        let pieces = Decoded.file(name, .init(piece: 1777, waitEvery: 5), chunk: 999)
        #expect(pieces.failure == nil)
        #expect(pieces.samples == whole.samples)
        #expect(pieces.information == whole.information)
    }

    @Test(arguments: ["song.mp3", "id3-middle.mp3", "ape-tail.mp3", "ape-middle.mp3", "big-cover.mp3"])
    func aLiveStreamNeedsNoLengthAndNoWayBack(name: String) {
        let manner = FakeSource.Manner(
            piece: 1400, waitEvery: 3, isLocal: false, isSeekable: false, isLive: true, hasLength: false)
        let decoded = Decoded.file(name, manner)
        #expect(decoded.failure == nil)
        #expect(decoded.information?.frames == nil)
        #expect(decoded.information?.isSeekable == false)
        guard let segment = decoded.segments.first else { return }
        #expect(Decoded.share(of: 880, in: segment) < 0.001)
        #expect(abs(segment.frames - Decoded.file(name).frames) <= 1152)
    }

    @Test func tagsInTheMiddleOfALiveStreamAreMetadata() {
        let manner = FakeSource.Manner(
            piece: 1400, isLocal: false, isSeekable: false, isLive: true, hasLength: false)
        let decoded = Decoded.file("id3-middle.mp3", manner)
        #expect(decoded.metadata.map(\.frame) == [80 * 1152])
        #expect(decoded.metadata.first?.1["TIT2"] == "Mid")
    }

    @Test func metadataComesBeforeTheFrameThatHoldsItsByte() {
        // A frame of 128 kb/s has 417 or 418 bytes.
        let items = [0, 1, 41_800].map {
            TimedMetadata(source: .icy, fields: [.init("StreamTitle", "\($0)")], offset: Int64($0))
        }
        let decoded = Decoded.file("song.mp3", .init(metadata: items))
        #expect(decoded.metadata.map(\.frame) == [0, 1152, 101 * 1152])
    }

    @Test func aSourceThatFailsIsToldAfterItsSound() {
        let failure = PlaybackFailure(.incomplete, "half of it")
        let half = Array(Fixtures.data("song.mp3").prefix(20000))
        let decoded = Decoded.bytes(half, .init(isLocal: false, missing: 5000, failure: failure))
        #expect(decoded.failure == failure)
        #expect(decoded.frames >= 45 * 1152)
    }

    @Test func aStationThatChangesItsCodecIsTold() {
        let other = (0..<12).flatMap { _ in Fixtures.data("tone.aac") }
        let manner = FakeSource.Manner(
            piece: 1400, isLocal: false, isSeekable: false, isLive: true, hasLength: false)
        let decoded = Decoded.bytes(Fixtures.data("song.mp3") + other, manner)
        #expect(decoded.failure?.code == .unsupportedFormat)
        #expect(decoded.failure?.message.contains("an AAC stream") == true)
        #expect(decoded.frames >= 115 * 1152)
    }

    @Test func anEstimateIsMarked() {
        let manner = FakeSource.Manner(allowed: 30_000, isLocal: false)
        let source = FakeSource(Fixtures.data("vbr.mp3"), manner)
        let decoder = MPEGDecoder(Decoded.reader(source), name: "vbr.mp3")
        let information = try? decoder.open()
        #expect(information?.isEstimated == true)
        #expect(information?.frames != nil)
    }

    @Test func anInterruptedReadGivesTheThreadBack() throws {
        let source = FakeSource(Fixtures.data("song.mp3"), .init(allowed: 20_000, isLocal: false))
        let decoder = MPEGDecoder(Decoded.reader(source, service: { true }), name: "song.mp3")
        var decoded = Decoded()
        decoded.information = try decoder.open()
        try decoded.take(decoder, chunk: 4410)
        #expect(decoded.frames > 40 * 1152)
        source.allow(.max)
        #expect(try decoder.seek(toFrame: decoded.frames) == decoded.frames)
        try decoded.take(decoder, chunk: 4410)
        let whole = Decoded.file("song.mp3").samples
        #expect(Sound.firstDifference(decoded.samples, whole) == nil)
    }
}
