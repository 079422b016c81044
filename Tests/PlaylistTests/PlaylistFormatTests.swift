import Base
import Testing

@testable import Playlist

@Suite struct PlaylistFormatTests {
    struct Row: Sendable {
        let text: String
        var url = "http://s.test/x"
        var type: String?
        let format: PlaylistFormat?
    }

    static let rows = [
        Row(text: "#EXTM3U\nhttp://a.test/1", format: .m3u),
        Row(
            text: "\n\n #extm3u\nhttp://a.test/1", url: "http://s.test/x.pls", type: "audio/x-scpls",
            format: .m3u),
        Row(text: "# by hand\n#EXTINF:1,T\na.mp3", format: .m3u),
        Row(text: "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts", format: .hls),
        Row(text: "#EXTM3U\r#EXT-X-STREAM-INF:x\ra.m3u8", format: .hls),
        Row(
            text: "#EXTM3U\n#EXTINF:-1,about #EXT-X-\nhttp://a.test/1", type: "application/vnd.apple.mpegurl",
            format: .m3u),
        Row(text: "[playlist]\nFile1=a", url: "http://s.test/m3u/url/85582", type: "text/html", format: .pls),
        Row(text: "NumberOfEntries=1\nFile1=a", format: .pls),
        Row(text: "<?xml version='1.0'?>\n<playlist xmlns='http://xspf.org/ns/0/'/>", format: .xspf),
        Row(text: "<ASX VERSION='3'>", url: "http://s.test/x.mp3", type: "audio/mpeg", format: .asx),
        Row(text: "http://a.test/1\nhttps://a.test/2\n", type: "text/plain", format: .m3u),
        Row(text: "song.mp3\n", type: "application/octet-stream", format: nil),
        Row(
            text: "song.mp3\n", url: "http://s.test/third.m3u?sid=1", type: "application/octet-stream",
            format: .m3u),
        Row(text: "song.mp3\n", type: "audio/x-mpegurl", format: .m3u),
        Row(text: "This is the text of a song.\n", url: "/music/a.mp3", format: nil),
        Row(text: "http://a.test/1 is where it lies\n", format: nil),
        Row(
            text: "<!doctype html><html><body>not here", url: "http://s.test/x.m3u", type: "audio/x-mpegurl",
            format: nil),
        Row(text: "{\"error\": 1}", url: "http://s.test/x.m3u", format: nil),
        Row(text: "<rss><channel/></rss>", format: nil),
        Row(text: "", url: "http://s.test/x.m3u", format: nil),
        Row(text: "\u{1}\u{2}#EXTM3U\nhttp://a.test/1", url: "http://s.test/x.m3u", format: nil),
    ]

    @Test(arguments: rows)
    func theBytesDecide(_ row: Row) {
        #expect(PlaylistFormat(Array(row.text.utf8), url: row.url, contentType: row.type) == row.format)
    }

    @Test func soundIsNoPlaylistWhateverItsName() {
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00, 0, 1, 2, 3]
        #expect(!PlaylistFormat.mayBegin(with: frame))
        #expect(PlaylistFormat(frame, url: "http://s.test/listen.pls", contentType: "audio/x-scpls") == nil)
    }

    @Test func hlsIsRefusedInSoManyWords() {
        let listed = Listed.remote("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts")
        #expect(listed.failure?.code == .unsupportedFormat)
        #expect(listed.failure?.message.contains("HLS") == true)
    }

    @Test(arguments: [
        ("http://a.test/x.PLS", true), ("http://a.test/x.m3u8?a=b.mp3", true), ("/music/a.xspf", true),
        ("http://a.test/x.mp3?list.m3u", false), ("http://m3u", false), ("/music/x.m3u/a.mp3", false),
        ("http://a.test/.m3u", false), ("http://a.test/x.asx#y", true), ("/music/what?.m3u", true),
    ])
    func aNameGivesAFirstGuess(_ url: String, _ isPlaylist: Bool) {
        #expect(MediaName.isPlaylist(url) == isPlaylist)
    }
}
