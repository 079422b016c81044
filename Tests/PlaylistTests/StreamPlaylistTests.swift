import Base
import Testing

@testable import Playlist

struct StreamPlaylistTests {
    private static let origin = PlaylistOrigin(
        .network(url: "http://s.test/a/list.m3u8"), mayLeadToThisMachine: false)

    private static func read(_ text: String, from origin: PlaylistOrigin = origin)
        -> Result<StreamPlaylist, PlaybackFailure>
    {
        Result { () throws(PlaybackFailure) in
            try StreamPlaylist.read(Array(text.utf8), from: origin, name: "It")
        }
    }

    private static func media(_ text: String) -> MediaPlaylist? {
        guard case .success(.media(let list)) = read("#EXTM3U\n" + text) else { return nil }
        return list
    }

    @Test func piecesHaveNumbersLengthsAndURLsOfTheList() {
        let list = Self.media(
            "#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:3.5,x\nb.ts\n#EXTINF:2\n/c.ts?d\n")
        #expect(list?.segments.map(\.place.url) == ["http://s.test/a/b.ts", "http://s.test/c.ts?d"])
        #expect(list?.segments.map(\.number) == [7, 8])
        #expect(list?.duration == 5.5 && list?.targetSeconds == 4 && list?.isComplete == false)
    }

    @Test func aRangeWithoutAStartFollowsTheOneBefore() {
        let list = Self.media(
            "#EXT-X-BYTERANGE:10@5\na\n#EXT-X-BYTERANGE:20\na\n#EXT-X-BYTERANGE:3\nb\na\n#EXT-X-ENDLIST")
        #expect(list?.segments.map(\.place.range) == [5..<15, 15..<35, 0..<3, nil])
    }

    @Test func aKeyHoldsUntilTheNext() {
        let list = Self.media(
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k,1\",IV=0x0a\na\nb\n#EXT-X-KEY:METHOD=NONE\nc\n")
        let key = MediaPlaylist.Key(
            url: "http://s.test/a/k,1", vector: [UInt8](repeating: 0, count: 15) + [10])
        #expect(list?.segments.map(\.place.key) == [key, key, nil])
    }

    @Test func anotherHeaderBreaksTheStream() {
        let list = Self.media(
            "#EXT-X-MAP:URI=\"i\"\na\nb\n#EXT-X-MAP:URI=\"j\"\nc\n#EXT-X-DISCONTINUITY\nd\n")
        #expect(list?.segments.map(\.isBreak) == [false, false, true, true])
        #expect(list?.segments.last?.header?.url == "http://s.test/a/j")
    }

    @Test(arguments: [
        ("a\nfile:///etc/passwd\n", PlaybackFailure.Code.denied), ("http://127.0.0.1/a\n", .denied),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"http://localhost/k\"\na\n", .denied),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\na\n", .unsupportedFormat),
        ("#EXT-X-ENDLIST\n", .empty),
    ])
    func whatMayNotBeNamedIsRefused(_ text: String, _ code: PlaybackFailure.Code) {
        guard case .failure(let failure) = Self.read("#EXTM3U\n#EXT-X-VERSION:3\n" + text) else {
            Issue.record("it is read")
            return
        }
        #expect(failure.code == code)
    }

    @Test(arguments: [
        // Sound alone goes before all pictures, the highest rate first.
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS=\"avc1.1,mp4a.40.2\"\nv\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=64,CODECS=\"mp4a.40.2\"\nlow\n#EXT-X-STREAM-INF:BANDWIDTH=128\nhigh\n",
            ["high", "low", "v"]
        ),
        // Sound beside pictures, the default one of its group.
        (
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",URI=\"x\"\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",DEFAULT=YES,URI=\"y\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=900,RESOLUTION=1x1,AUDIO=\"g\"\nv\n",
            ["y"]
        ),
        // Pictures without sound are left out; among others the smallest will do.
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS=\"avc1.1\"\nmute\n#EXT-X-STREAM-INF:BANDWIDTH=800,RESOLUTION=2x2\nb\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=300,RESOLUTION=1x1\na\n",
            ["a", "b"]
        ),
    ])
    func theBestSoundOfAListOfStreamsComesFirst(_ text: String, _ names: [String]) {
        guard case .success(.master(let urls)) = Self.read("#EXTM3U\n" + text) else {
            Issue.record("it is none")
            return
        }
        #expect(urls == names.map { "http://s.test/a/" + $0 })
    }
}
