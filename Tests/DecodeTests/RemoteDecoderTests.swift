import Base
import Testing

@testable import Decode

/// `jukebox-decoder` as the daemon uses it, against what the program ffmpeg decodes.
@Suite struct RemoteDecoderTests {
    /// How the bytes come.
    enum Manner: String, CaseIterable, Sendable {
        case local, ranges, noRanges, unknownLength

        var source: FakeSource.Manner {
            switch self {
            case .local: FakeSource.Manner()
            case .ranges: FakeSource.Manner(piece: 5000, waitEvery: 7, isLocal: false)
            case .noRanges:
                FakeSource.Manner(
                    piece: 3000, waitEvery: 5, isLocal: false, isSeekable: false, isSparse: true)
            case .unknownLength:
                FakeSource.Manner(
                    piece: 3000, waitEvery: 5, isLocal: false, isSeekable: false, hasLength: false)
            }
        }
    }

    /// What tells where the sound lies comes after it.
    private static let indexAtEnd: Set = ["aac-51.m4a", "alac.m4a", "alac-24.m4a", "caf.caf"]

    @Test(arguments: Fixtures.formats.keys.sorted())
    func everyFormatIsDecodedAsFFmpegDoes(_ name: String) throws {
        let format = try #require(Fixtures.formats[name])
        let bytes = Fixtures.format(name)
        var reference = Fixtures.formatReference(name)
        // ffmpeg leaves what the encoder added to the last frame of an MP4 file.
        if format.exact { reference = Array(reference.prefix(format.frames * format.channels)) }
        for manner in Manner.allCases {
            let decoded = Decoded.any(bytes, manner.source, name: name)
            if manner == .noRanges, Self.indexAtEnd.contains(name) {
                #expect(decoded.failure?.code == .unsupportedFormat)
                continue
            }
            #expect(decoded.failure == nil, "\(manner)")
            #expect(decoded.information?.format.sampleRate == format.rate, "\(manner)")
            #expect(decoded.information?.format.channels == format.channels, "\(manner)")
            let difference = Sound.firstDifference(decoded.samples, reference)
            #expect(difference == nil, "\(manner): \(decoded.samples.count) of \(reference.count)")
            if manner == .local { expectLength(format, decoded) }
        }
    }

    private func expectLength(_ format: Fixtures.Format, _ decoded: Decoded) {
        let information = decoded.information
        #expect(information?.isEstimated == true || information?.frames == decoded.frames)
        if format.exact {
            #expect(information?.isEstimated == false && information?.isGapless == true)
            #expect(decoded.frames == format.frames)
        }
    }

    /// Names that say something else than the bytes.
    @Test func contentCountsNotTheName() {
        for name in ["flac.flac", "aac.m4a", "opus.opus"] {
            let decoded = Decoded.any(Fixtures.format(name), name: "song.mp3")
            #expect(decoded.failure == nil)
            #expect(decoded.frames == Fixtures.formats[name]?.frames)
        }
    }

    @Test(arguments: ["flac.flac", "aac.m4a", "vorbis.ogg", "opus.opus", "wma.wma", "wavpack.wv", "flac.mka"])
    func tagsAreTold(_ name: String) throws {
        let tags = try #require(Decoded.any(Fixtures.format(name), name: name).information?.tags)
        #expect(tags.title == "Tïtle")
        #expect(tags.artist == "An Artist")
        #expect(tags.album == "An Album")
        #expect(tags.genre == "Tests")
    }

    @Test(arguments: Fixtures.formats.filter(\.value.exact).keys.sorted())
    func aSeekGoesToTheVeryFrame(_ name: String) throws {
        let format = try #require(Fixtures.formats[name])
        let whole = Decoded.any(Fixtures.format(name), name: name).samples
        let source = FakeSource(Fixtures.format(name))
        let item = DecodeItem(token: 1, source: source, name: name)
        let (decoder, information) = try #require(try DecoderFactory.open(item, Decoded.reader(source)))
        // Forward, back, and to the start; the last where a codec needs what came before.
        for share in [0.5, 0.1, 0.0, 0.8, 0.95] {
            let target = Int(Double(format.frames) * share)
            let landed = try decoder.seek(toFrame: target)
            #expect(landed == target && decoder.isPositionExact, "\(share)")
            var decoded = Decoded()
            decoded.information = information
            try decoded.take(decoder, chunk: 5000)
            let rest = Array(whole[min(whole.count, landed * format.channels)...])
            #expect(decoded.samples.count == rest.count, "\(share)")
            if format.lossless {
                #expect(Sound.firstDifference(decoded.samples, rest) == nil, "\(share)")
            }
        }
    }

    @Test(arguments: ["opus.opus", "vorbis.ogg"])
    func linksOfAChainFollowEachOtherWithTheirTitles(_ name: String) throws {
        let bytes = (1...3).flatMap { Fixtures.link(name, $0) }
        let reference = Fixtures.formatReference(name)
        let frames = try #require(Fixtures.formats[name]?.frames)
        for manner in Manner.allCases {
            let decoded = Decoded.any(bytes, manner.source, name: name)
            #expect(decoded.failure == nil)
            let difference = Sound.firstDifference(decoded.samples, reference + reference + reference)
            #expect(difference == nil, "\(manner): \(decoded.frames)")
            #expect(decoded.metadata.map { $0.1["title"] } == ["Tïtle 2", "Tïtle 3"])
            #expect(decoded.metadata.map(\.frame) == [frames, 2 * frames])
            if manner == .local { #expect(decoded.information?.frames == 3 * frames) }
        }
    }

    @Test(arguments: ["opus.opus", "vorbis.ogg"])
    func aSeekGoesIntoAnyLinkOfAChain(_ name: String) throws {
        let bytes = (1...3).flatMap { Fixtures.link(name, $0) }
        let frames = try #require(Fixtures.formats[name]?.frames)
        let source = FakeSource(bytes)
        let item = DecodeItem(token: 1, source: source, name: name)
        let (decoder, information) = try #require(try DecoderFactory.open(item, Decoded.reader(source)))
        for share in [2.5, 0.5, 1.2, 0.0] {
            let target = Int(Double(frames) * share)
            #expect(try decoder.seek(toFrame: target) == target)
            var decoded = Decoded()
            decoded.information = information
            try decoded.take(decoder, chunk: 5000)
            #expect(decoded.frames == 3 * frames - target)
        }
    }
}
