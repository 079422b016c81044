import Base
import Testing

@testable import Decode

@Suite struct PackedTagsTests {
    /// A frame of ADTS of 40 bytes in all.
    private static let frame: [UInt8] =
        [0xFF, 0xF1, 0x50, 0x80, 0x05, 0x1F, 0xFC] + [UInt8](repeating: 7, count: 33)

    private static func tag(_ title: String) -> [UInt8] {
        let text: [UInt8] = [3] + Array(title.utf8)
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    @Test(arguments: [1, 9, 40, 1000])
    func tagsBetweenFramesAreTakenOutInOrder(_ size: Int) {
        let bytes = Self.tag("A") + Self.frame + Self.frame + Self.tag("B") + Self.frame
        var tags = PackedTags()
        var sound: [UInt8] = []
        var found: [(String?, Int64)] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = tags.take(bytes[start..<min(bytes.count, start + size)])
            sound += part.sound
            found += part.tags.map { ($0["TIT2"], $0.offset) }
        }
        sound += tags.end().sound
        #expect(sound == Self.frame + Self.frame + Self.frame)
        #expect(found.map(\.0) == ["A", "B"] && found.map(\.1) == [0, 80])
    }

    @Test func aTagWithinOtherSoundIsLeftToItsDecoder() {
        var tags = PackedTags()
        let bytes = [UInt8](repeating: 0x47, count: 188) + Self.tag("A")
        #expect(tags.take(bytes).sound == bytes)
    }

    @Test func eachPieceIsLookedAtAnew() {
        var tags = PackedTags()
        _ = tags.take([UInt8](repeating: 0x47, count: 188))
        _ = tags.beginPiece()
        let part = tags.take(Self.tag("A") + Self.frame)
        #expect(part.sound == Self.frame && part.tags.first?.offset == 188)
    }
}
