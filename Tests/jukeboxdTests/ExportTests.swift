import Base
import Testing

@testable import jukeboxd

@Suite struct ExportTests {
    private func item(_ kind: PublishedItem.Kind, _ change: (inout PublishedItem) -> Void) -> PublishedItem {
        var published = PublishedItem(kind: kind)
        change(&published)
        return published
    }

    @Test(arguments: [
        ("Talk", "Show", 86_400.0, "Show - 1970-01-02 - Talk"), ("Talk", nil, nil, "Talk"),
        (nil, nil, nil, "Item 7"),
        ("a/b\\c:d*e?f\"g<h>i|j", "..Show..", nil, "Show - a_b_c_d_e_f_g_h_i_j"),
        ("../../etc/passwd", nil, nil, "_.._etc_passwd"), ("\u{1}\n\u{7F}", nil, nil, "Item 7"),
        ("Straße – Été 🎧.", "", nil, "Straße – Été 🎧"), (". .", " ", nil, "Item 7"),
    ])
    func aNameIsReadableAndGoodForEveryDisk(title: String?, source: String?, date: Double?, name: String) {
        let item = item(.episode) { ($0.title, $0.date) = (title, date) }
        #expect(ExportName.name(of: item, id: 7, source: source) == name)
    }

    @Test func aTrackIsNamedByItsArtist() {
        let item = item(.track) { ($0.title, $0.creators) = ("Song", ["Who", "Else"]) }
        #expect(ExportName.name(of: item, id: 7, source: "Folder") == "Who - Song")
    }

    @Test func aLongNameIsCutBetweenCharacters() {
        let long = item(.track) { $0.title = String(repeating: "é👨‍👩‍👧", count: 90) }
        let name = ExportName.name(of: long, id: 7, source: nil)
        #expect(name.utf8.count <= 200 && name.utf8.count > 170)
        #expect(name.allSatisfy { $0 == "é" || $0 == "👨‍👩‍👧" })
    }

    @Test(arguments: [
        ([UInt8]("ID3".utf8), "http://s.test/x.ogg", ".mp3"), ([0xFF, 0xFB, 0x90], "x", ".mp3"),
        ([UInt8]("OggS".utf8), "x.mp3", ".ogg"), ([UInt8]("fLaC".utf8), "", ".flac"),
        ([0, 0, 0, 0x20] + [UInt8]("ftypM4A ".utf8), "x.mp4", ".m4a"),
        ([1, 2, 3], "http://s.test/a/talk.Opus?key=x", ".opus"), ([1], "http://s.test/talk", ""),
        ([1], "http://s.test/talk.m%2F3", ""), ([], "http://s.test/talk.waytoolong", ""),
    ])
    func theBytesNameTheEnding(head: [UInt8], url: String, ending: String) {
        #expect(ExportName.ending(head, url: url) == ending)
    }

    @Test func aTagHoldsWhatIsKnown() {
        let item = item(.episode) {
            ($0.title, $0.creators, $0.number, $0.date) = ("Tïtle", ["A", "B\0C"], 3, 86_400)
            $0.tags = ["Talk"]
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 1, count: 300)
        let tag = ID3Writer.tag(of: item, album: "Show", picture: jpeg)
        let size = tag[6..<10].reduce(0) { $0 << 7 | Int($1) }
        #expect(tag.prefix(6) == [0x49, 0x44, 0x33, 4, 0, 0] && size == tag.count - 10)
        #expect(tag[6..<10].allSatisfy { $0 < 128 })
        for text in ["TIT2", "Tïtle", "A\0B C", "TALB", "Show", "TRCK", "TDRC", "1970-01-02", "image/jpeg\0"]
        {
            #expect(tag.firstRange(of: Array(text.utf8)) != nil, "\(text)")
        }
        #expect(ID3Writer.tag(of: self.item(.track) { _ in }, album: nil, picture: [1, 2]).count == 10)
    }
}
