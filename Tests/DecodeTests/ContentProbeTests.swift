import Base
import Support
import Testing

@testable import Decode

@Suite struct ContentProbeTests {
    @Test(arguments: [
        ("page.mp3", "an HTML page"), ("list.mp3", "a playlist"), ("words.mp3", "a text"),
        ("tone.ogg", "an Ogg stream"), ("tone.flac", "a FLAC file"), ("tone.m4a", "an MP4 file"),
        ("tone.aac", "an AAC stream"), ("whole.wav", "a WAV file"), ("png.bin", "a PNG picture"),
    ])
    func otherContentIsNamed(name: String, words: String) {
        let failure = Decoded.file(name).failure
        #expect(failure?.code == .unsupportedFormat)
        #expect(failure?.message.contains(words) == true)
    }

    @Test(arguments: [
        ("nothing.mp3", PlaybackFailure.Code.empty), ("noise.mp3", .unsupportedFormat),
        ("only-tag.mp3", .unsupportedFormat),
    ])
    func whatHasNoSoundFails(name: String, code: PlaybackFailure.Code) {
        #expect(Decoded.file(name).failure?.code == code)
    }

    @Test func randomBytesAreNoSoundAndNoTrap() {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<60 {
            var bytes = (0..<(round * 40)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if round % 3 == 0 { bytes.insert(contentsOf: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 9], at: 0) }
            if round % 4 == 0 { bytes += [0xFF, 0xFB, 0x90, 0x44] }
            #expect(Decoded.bytes(bytes).failure != nil)
        }
    }

    @Test func damagedFilesNeverTrap() {
        var generator = SeededGenerator(seed: 11)
        for name in ["ape-tail.mp3", "unsync23.mp3", "vbri.mp3", "itunes.mp3", "breaks.mp3"] {
            for _ in 0..<6 {
                var bytes = Array(Fixtures.data(name).prefix(30_000))
                for _ in 0..<40 {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
                for _ in 0..<10 {
                    bytes[Int.random(in: 0..<200, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
                _ = Decoded.bytes(bytes)
            }
        }
    }
}
