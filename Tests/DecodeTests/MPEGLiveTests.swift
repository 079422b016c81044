import Base
import Testing

@testable import Decode

@Suite struct MPEGLiveTests {
    private func live(seams: [Int64] = []) -> FakeSource.Manner {
        var manner = FakeSource.Manner()
        manner.isLocal = false
        manner.isLive = true
        manner.hasLength = false
        manner.seams = seams
        return manner
    }

    /// Connections one after the other, each a part of a file, with what each gives by itself.
    private func connections(_ parts: [ArraySlice<UInt8>], piece: Int = .max) -> (
        together: Decoded, apart: [Decoded]
    ) {
        var data: [UInt8] = []
        var seams: [Int64] = []
        for part in parts {
            if !data.isEmpty { seams.append(Int64(data.count)) }
            data += part
        }
        var manner = live(seams: seams)
        manner.piece = piece
        return (Decoded.bytes(data, manner), parts.map { Decoded.bytes(Array($0), live()) })
    }

    /// Cheaper than the tests' own comparison of long arrays, which shows where they differ.
    private func isSame(_ a: [Float], _ b: [Float]) -> Bool { a == b }

    // MARK: Reconnects

    @Test(arguments: [.max, 700, 1])
    func theEndOfOneConnectionIsNeverPutTogetherWithTheNext(piece: Int) {
        let song = Fixtures.data("six.mp3")
        let other = Fixtures.data("high.mp3")
        // Cut in the middle of frames, as servers do.
        let (together, apart) = connections(
            [song[..<30_001], other[100...], song[40_333..<70_000], song[50_217...]], piece: piece)
        #expect(together.failure == nil)
        #expect(apart.allSatisfy { $0.failure == nil && $0.frames > 20_000 })
        #expect(isSame(together.samples, apart.flatMap(\.samples)))
    }

    @Test func aConnectionWithoutSoundIsPassedOver() {
        let song = Fixtures.data("six.mp3")
        let noise = Fixtures.data("png.bin").dropFirst(8)
        let (together, apart) = connections([
            song[..<30_001], noise.prefix(900), song[..<10], song[40_000...],
        ])
        #expect(together.failure == nil)
        #expect(isSame(together.samples, apart[0].samples + apart[3].samples))
    }

    @Test func theFirstConnectionMayEndBeforeItsFirstFrame() {
        let song = Fixtures.data("song.mp3")
        let (together, apart) = connections([song[1..<300], song[5..<7], song[...]])
        #expect(together.failure == nil)
        #expect(together.frames == apart[2].frames)
    }

    @Test func eachConnectionMayHaveAFormatOfItsOwn() {
        let parts = (0...3).map { Fixtures.data("change\($0).mp3") }
        let (together, _) = connections(parts.map { $0[200...] })
        #expect(together.failure == nil)
        #expect(together.segments.map(\.format.sampleRate) == [44100, 48000, 22050, 44100])
        for segment in together.segments {
            #expect(segment.frames > segment.format.sampleRate * 2)
            #expect(Decoded.share(of: 440, in: segment, frames: 4000..<segment.frames - 2000) > 0.95)
        }
    }

    @Test(arguments: ["tone.aac", "tone.ogg", "page.mp3"])
    func aStationThatComesBackAsSomethingElseSaysSo(name: String) {
        let song = Fixtures.data("song.mp3")
        let (together, apart) = connections([song[..<30_001], Fixtures.data(name)[...]])
        #expect(isSame(together.samples, apart[0].samples))
        #expect(together.failure?.code == .unsupportedFormat)
    }

    @Test func aTagAtTheStartOfAConnectionIsNoSound() {
        let song = Fixtures.data("song.mp3")
        let (together, apart) = connections([song[..<30_001], Fixtures.data("hidden.mp3")[...]])
        #expect(together.failure == nil)
        #expect(abs(together.frames - apart[0].frames - apart[1].frames) <= 1152)
        let second = Decoded.Segment(
            format: apart[0].segments[0].format, samples: Array(together.samples[apart[0].samples.count...]))
        #expect(Decoded.share(of: 440, in: second) > 0.95)
    }

    // MARK: Time shift

    private func opened(_ source: FakeSource) throws -> (MPEGDecoder, Decoded) {
        let decoder = MPEGDecoder(Decoded.reader(source), name: "live")
        var decoded = Decoded()
        decoded.information = try decoder.open()
        return (decoder, decoded)
    }

    @Test(arguments: [0.0, 0.7, 1.5, 2.99, 4.2])
    func goingBackGivesTheSameSoundAgain(seconds: Double) throws {
        let source = FakeSource(Fixtures.data("six.mp3"), live())
        var (decoder, first) = try opened(source)
        #expect(first.information?.isSeekable == true && first.information?.frames == nil)
        try first.take(decoder, chunk: 4410)
        let target = Int(seconds * 44100)
        let landed = try decoder.seek(toFrame: target)
        // At most to a little before the end.
        #expect(landed == min(target, landed) && landed > target - 44100 * 2)
        if seconds < 3 { #expect(abs(landed - target) <= 1) }
        var again = Decoded()
        again.information = first.information
        try again.take(decoder, chunk: 4410)
        #expect(abs(again.frames - (first.frames - landed)) <= 2)
        let expected = first.samples[(landed * 2)...]
        let isSame = zip(again.samples, expected).dropFirst(landed == 0 ? 4 * 1152 : 0).allSatisfy {
            abs($0 - $1) < 1e-4
        }
        #expect(isSame)
    }

    @Test func forwardIsFoundByHeadersInWhatWasNotDecodedYet() throws {
        let song = Fixtures.data("six.mp3")
        let whole = Decoded.bytes(song, live())
        let source = FakeSource(song, live(seams: []))
        var (decoder, first) = try opened(source)
        try first.take(decoder, chunk: 4410, atMost: 4410)
        let landed = try decoder.seek(toFrame: 3 * 44100)
        #expect(abs(landed - 3 * 44100) <= 1)
        var rest = Decoded()
        rest.information = first.information
        try rest.take(decoder, chunk: 4410)
        #expect(abs(rest.frames - (whole.frames - landed)) <= 2)
        let isSame = zip(rest.samples, whole.samples[(landed * 2)...]).allSatisfy { abs($0 - $1) < 1e-4 }
        #expect(isSame)
    }

    @Test func theLiveEndIsALittleBeforeTheLastByte() throws {
        let song = Fixtures.data("six.mp3")
        let source = FakeSource(song, live(seams: [30_001]))
        var (decoder, first) = try opened(source)
        try first.take(decoder, chunk: 4410, atMost: 4410)
        let landed = try decoder.seek(toFrame: 1_000_000_000)
        #expect(landed > 3 * 44100 && landed < 4 * 44100)
        var rest = Decoded()
        rest.information = first.information
        try rest.take(decoder, chunk: 4410)
        #expect(rest.frames > 2 * 44100 && rest.frames < 3 * 44100)
    }

    @Test func placesHoldOverFormats() throws {
        let parts = (0...3).map { Fixtures.data("change\($0).mp3") }
        let seams = parts.indices.dropFirst().map { Int64(parts[..<$0].reduce(0) { $0 + $1.count }) }
        let source = FakeSource(parts.flatMap(\.self), live(seams: seams))
        var (decoder, first) = try opened(source)
        try first.take(decoder, chunk: 4410)
        #expect(first.segments.count == 4)
        // In the third part, which has another rate; asked for in frames of the last one.
        let landed = try decoder.seek(toFrame: 7 * 44100)
        #expect(abs(landed - 7 * 44100) <= 2)
        var rest = Decoded()
        rest.information = first.information
        try rest.take(decoder, chunk: 4410)
        #expect(rest.segments.map(\.format.sampleRate) == [44100, 22050, 44100])
        #expect(rest.segments[0].frames == 0)
    }

    @Test func whatIsGoneIsJumpedOverWithItsTime() throws {
        let source = FakeSource(Fixtures.data("six.mp3"), live())
        var (decoder, decoded) = try opened(source)
        try decoded.take(decoder, chunk: 4410, atMost: 44100)
        source.forget(before: 64_000)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8820)
        defer { unsafe buffer.deallocate() }
        var jump: Double?
        for _ in 0..<100 where jump == nil {
            if case .jumped(let seconds) = try unsafe decoder.decode(into: buffer) { jump = seconds }
        }
        // 128 kbit/s: 16,000 bytes a second.
        let seconds = try #require(jump)
        #expect(abs(seconds - 4) < 0.2)
        let landed = try decoder.seek(toFrame: 0)
        #expect(landed > 3 * 44100)
    }

    @Test func theTitleOfThenIsToldAgain() throws {
        let titles = [10_000, 30_000, 60_000].enumerated().map { index, offset in
            TimedMetadata(
                source: .icy, fields: [.init("StreamTitle", "T\(index)")], offset: Int64(offset))
        }
        var manner = live()
        manner.metadata = titles
        let source = FakeSource(Fixtures.data("six.mp3"), manner)
        var (decoder, first) = try opened(source)
        try first.take(decoder, chunk: 4410)
        #expect(first.metadata.map { $0.1["StreamTitle"] } == ["T0", "T1", "T2"])
        _ = try decoder.seek(toFrame: 110_000)
        var again = Decoded()
        again.information = first.information
        try again.take(decoder, chunk: 4410)
        #expect(again.metadata.map { $0.1["StreamTitle"] } == ["T1", "T2"])
        #expect(again.metadata.first?.frame ?? .max < 1153)
        _ = try decoder.seek(toFrame: 10)
        var start = Decoded()
        start.information = first.information
        try start.take(decoder, chunk: 4410)
        #expect(start.metadata.map { $0.1["StreamTitle"] } == ["", "T0", "T1", "T2"])
    }
}
