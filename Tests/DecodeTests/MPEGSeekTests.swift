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
            #expect(zip(rest.samples, expected).allSatisfy { abs($0 - $1) < 1e-5 })
        }
    }

    @Test func whatIsNotHereIsFoundByGuessing() throws {
        let data = Fixtures.data("gapless-10s.mp3")
        let source = FakeSource(data, .init(allowed: 20_000, isLocal: false))
        let decoder = MPEGDecoder(Decoded.reader(source), name: "gapless")
        _ = try decoder.open()
        let before = source.highestRead
        #expect(before <= 20_000)
        source.allow(.max)
        let far = FakeSource(data, .init(isLocal: false))
        let near = MPEGDecoder(Decoded.reader(far), name: "gapless")
        _ = try near.open()
        #expect(try near.seek(toFrame: 300_001) == 300_001)
        #expect(near.isPositionExact)
    }
}
