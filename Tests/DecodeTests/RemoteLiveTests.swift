import Base
import Testing

@testable import Decode

/// Stations in other formats than MPEG audio.
@Suite struct RemoteLiveTests {
    private func live(seams: [Int64] = [], metadata: [TimedMetadata] = []) -> FakeSource.Manner {
        var manner = FakeSource.Manner(
            piece: 3000, waitEvery: 5, isLocal: false, isLive: true, hasLength: false)
        manner.seams = seams
        manner.metadata = metadata
        return manner
    }

    private func joined(_ parts: [[UInt8]]) -> (bytes: [UInt8], seams: [Int64]) {
        var bytes: [UInt8] = []
        var seams: [Int64] = []
        for part in parts {
            if !bytes.isEmpty { seams.append(Int64(bytes.count)) }
            bytes += part
        }
        return (bytes, seams)
    }

    @Test(arguments: ["aac.aac", "vorbis.ogg", "opus.opus", "aac.ts", "flac.oga"])
    func aStationIsHeard(_ name: String) {
        let decoded = Decoded.any(Fixtures.format(name), live(), name: "station")
        #expect(decoded.failure == nil)
        #expect(decoded.information?.frames == nil)
        #expect(Sound.firstDifference(decoded.samples, Fixtures.formatReference(name)) == nil)
    }

    @Test func eachConnectionIsAStreamOfItsOwnInAnyCodec() {
        let names = ["aac.aac", "opus.opus", "vorbis.ogg"]
        let song = Fixtures.data("song.mp3")
        let (bytes, seams) = joined([
            song, Fixtures.format(names[0]), Fixtures.format(names[1]), song, Fixtures.format(names[2]),
        ])
        let decoded = Decoded.any(bytes, live(seams: seams), name: "station")
        #expect(decoded.failure == nil)
        let first = Decoded.any(song, live(), name: "station").samples
        let parts =
            [first] + names[..<2].map(Fixtures.formatReference) + [first, Fixtures.formatReference(names[2])]
        #expect(decoded.samples.count == parts.reduce(0) { $0 + $1.count })
        #expect(Sound.firstDifference(decoded.samples, parts.flatMap(\.self)) == nil)
        #expect(decoded.segments.map(\.format.sampleRate) == [44100, 48000, 44100])
    }

    @Test func titlesComeWhereTheyBelong() throws {
        let bytes = Fixtures.format("aac.aac")
        let titles = [(0, "one"), (bytes.count / 2, "two")].map {
            TimedMetadata(source: .icy, fields: [.init("StreamTitle", $0.1)], offset: Int64($0.0))
        }
        let decoded = Decoded.any(bytes, live(metadata: titles), name: "station")
        #expect(decoded.metadata.map { $0.1["StreamTitle"] } == ["one", "two"])
        let place = try #require(decoded.metadata.last?.frame)
        #expect(abs(place - decoded.frames / 2) < 44100 / 4)
    }

    @Test(arguments: ["opus.opus", "vorbis.ogg"])
    func eachLinkOfAChainHasItsTitle(_ name: String) {
        let links = (1...3).map { Fixtures.link(name, $0) }
        let decoded = Decoded.any(links.flatMap(\.self), live(), name: "station")
        #expect(decoded.failure == nil)
        let reference = Fixtures.formatReference(name)
        #expect(Sound.firstDifference(decoded.samples, reference + reference + reference) == nil)
        #expect(decoded.information?.tags.title == "Tïtle 1")
        #expect(decoded.metadata.map { $0.1["title"] } == ["Tïtle 2", "Tïtle 3"])
    }

    @Test(arguments: ["aac.aac", "opus.opus", "vorbis.ogg"])
    func goingBackGivesTheSameSoundAgain(_ name: String) throws {
        let reader = Decoded.reader(FakeSource(Fixtures.format(name), live()))
        let item = DecodeItem(token: 1, source: reader.source, name: "station")
        let (decoder, information) = try #require(try DecoderFactory.open(item, reader))
        #expect(information.isSeekable)
        var first = Decoded()
        first.information = information
        try first.take(decoder, chunk: 4410)
        // The live end is too near for a later place.
        let landed = try decoder.seek(toFrame: 0)
        var again = Decoded()
        again.information = information
        try again.take(decoder, chunk: 4410)
        #expect(landed == 0)
        #expect(again.frames > first.frames / 2)
    }
}
