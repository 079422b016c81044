import Base
import Testing

@testable import Decode

@Suite struct MPEGSeekTests {
    @Test(arguments: [
        "gapless-10s.mp3", "vbr.mp3", "song.mp3", "itunes.mp3", "vbri.mp3", "rate16000.mp3", "ape-tail.mp3",
    ])
    func aSeekIsExactToTheSample(name: String) throws {
        let linear = Decoded.file(name)
        let decoder = MPEGDecoder(Decoded.reader(FakeSource(Fixtures.data(name))), name: name)
        let information = try decoder.open()
        let channels = linear.segments[0].format.channels
        for part in [0.5, 0.1, 0.93, 0, 0.31, 1] {
            let target = min(linear.frames - 1, Int(Double(linear.frames) * part) + 77)
            #expect(try decoder.seek(toFrame: target) == target)
            #expect(decoder.isPositionExact)
            var rest = Decoded()
            rest.information = information
            try rest.take(decoder, chunk: 3000)
            #expect(rest.frames == linear.frames - target)
            let expected = linear.samples.dropFirst(target * channels)
            #expect(Sound.firstDifference(rest.samples, Array(expected)) == nil)
        }
    }

    @Test func aConstantRateNeedsNoBytesBetween() throws {
        let linear = Decoded.file("gapless-10s.mp3")
        let source = FakeSource(Fixtures.data("gapless-10s.mp3"), .init(isLocal: false, isSparse: true))
        let decoder = MPEGDecoder(Decoded.reader(source), name: "gapless")
        let information = try decoder.open()
        let before = source.bytesRead
        for target in [400_001, 77, 219_000, 440_000] {
            #expect(try decoder.seek(toFrame: target) == target)
            #expect(decoder.isPositionExact)
            var rest = Decoded()
            rest.information = information
            try rest.take(decoder, chunk: 1000, atMost: 1000)
            let expected = linear.segments[0].samples[(2 * target)..<(2 * target + 2000)]
            #expect(Sound.firstDifference(rest.samples, Array(expected)) == nil)
        }
        #expect(source.bytesRead - before < 120_000)
    }

    @Test func aPlaceThatIsGuessedSaysSo() throws {
        let source = FakeSource(Fixtures.data("vbr-xing.mp3"), .init(isLocal: false, isSparse: true))
        let decoder = MPEGDecoder(Decoded.reader(source), name: "vbr")
        let information = try decoder.open()
        for target in [600_000, 200_000, 480_000] {
            let before = source.bytesRead
            let landed = try decoder.seek(toFrame: target)
            #expect(abs(landed - target) < 10 * 1152, "\(target) \(landed)")
            #expect(!decoder.isPositionExact)
            var rest = Decoded()
            rest.information = information
            try rest.take(decoder, chunk: 1000, atMost: 1000)
            #expect(source.bytesRead - before < 50_000)
        }
        // What is known for certain is not forgotten over it.
        #expect(try decoder.seek(toFrame: 100) == 100)
        #expect(decoder.isPositionExact)
        var rest = Decoded()
        rest.information = information
        try rest.take(decoder, chunk: 1000, atMost: 2000)
        let linear = Decoded.file("vbr-xing.mp3").segments[0]
        let expected = linear.samples.dropFirst(100 * linear.format.channels).prefix(rest.samples.count)
        #expect(Sound.firstDifference(rest.samples, Array(expected)) == nil)
    }

    @Test(arguments: ["gapless-10s.mp3", "song.mp3", "vbr.mp3"])
    func theEndIsAPlace(name: String) throws {
        let decoder = MPEGDecoder(Decoded.reader(FakeSource(Fixtures.data(name))), name: name)
        let information = try decoder.open()
        let frames = information?.frames ?? 0
        _ = try decoder.seek(toFrame: frames)
        var rest = Decoded()
        rest.information = information
        try rest.take(decoder, chunk: 3000)
        #expect(rest.frames == 0)
    }
}
