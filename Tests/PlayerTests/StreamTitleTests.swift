import Base
import Player
import Testing

@Suite struct StreamTitleTests {
    @Test(
        arguments: [
            ("A - B - C", "A", "B - C"), ("A - B", "A", "B"), ("Only this", nil, "Only this"), ("", nil, nil),
            (" - ", nil, nil), ("   ", nil, nil), ("A - ", nil, "A"), (" - B", nil, "B"), ("A-B", nil, "A-B"),
            ("X - Don't Go", "X", "Don't Go"), ("  Ä  -  Ö ", "Ä", "Ö"), ("-", nil, "-"),
            ("A -  - B", "A", "- B"),
        ] as [(String, String?, String?)])
    func aStreamTitleIsSplitAtItsFirstSeparator(text: String, artist: String?, title: String?) {
        #expect(StreamTitle(splitting: text) == StreamTitle(title: title, artist: artist))
    }

    @Test func aBlockWithoutATitleSaysNothing() {
        let metadata = TimedMetadata(source: .icy, fields: [.init("StreamUrl", "http://x")], offset: 0)
        #expect(StreamTitle(metadata) == nil)
    }

    @Test func tagsInTheStreamNameTheirFields() {
        let id3 = TimedMetadata(
            source: .id3, fields: [.init("TIT2", "T - U"), .init("TPE1", "P")], offset: 0)
        #expect(StreamTitle(id3) == StreamTitle(title: "T - U", artist: "P"))
        let vorbis = TimedMetadata(
            source: .vorbis, fields: [.init("title", "T"), .init("Artist", "P"), .init("ALBUM", "L")],
            offset: 0)
        #expect(StreamTitle(vorbis) == StreamTitle(title: "T", artist: "P", album: "L"))
        #expect(StreamTitle(TimedMetadata(source: .id3, fields: [.init("PRIV", "x")], offset: 0)) == nil)
    }
}
