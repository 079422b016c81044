import Testing

@testable import Playlist

@Suite struct RandomListTests {
    private static let seeds = [
        "\u{feff}#EXTM3U\r\n#EXTINF:-1 a=\"b,c\",T, t\r\nhttp://s.test/a?b#c\r\n../x%2\n",
        "[playlist]\nFile1=http://s.test/\nTitle1=(#1 - 2/3) x\nLength1=-1\nFile2=a:b\n",
        XSPFTests.relative,
        "<asx><entry><title>a&b;</title><ref href='x?a&#65;=1'/><duration value='1:2'/></entry><!-- --></asx>",
        "<asx><![CDATA[", "<asx><entry><ref href=", "<asx></", "#EXTM3U\n#EXTINF:",
        "[playlist]\nFile=\nFile1",
    ]

    /// Bytes flipped, cut, doubled and thrown together: whatever comes of it is a list, a failure or nothing.
    @Test func nothingThatComesInTraps() {
        var random = Random(seed: 20_261_130)
        let origins = [
            PlaylistOrigin(.network(url: "http://s.test/a/b.m3u"), mayLeadToThisMachine: false),
            PlaylistOrigin(.file(path: "/music/x.m3u")),
        ]
        for round in 0..<3000 {
            var bytes = Array(Self.seeds[random.below(Self.seeds.count)].utf8)
            for _ in 0..<random.below(12) { Self.damage(&bytes, &random) }
            let listed = Listed.read(bytes, origins[round & 1], files: ["/music/x"])
            #expect(listed.urls.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("http") })
            for format in PlaylistFormat.allCases { Self.read(bytes, as: format) }
        }
    }

    /// Each reader on what is none of its own.
    private static func read(_ bytes: [UInt8], as format: PlaylistFormat) {
        switch format {
        case .m3u, .hls: _ = M3U.members(bytes, limit: 10)
        case .pls: _ = PLS.members(bytes, limit: 10)
        case .xspf: _ = XSPF.members(bytes, limit: 10)
        case .asx: _ = ASX.members(bytes, limit: 10)
        case .webdav: _ = WebDAV.members(bytes, in: "http://h/", limit: 10)
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout Random) {
        let at = random.below(bytes.count + 1)
        switch random.below(5) {
        case 0: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        case 1: bytes.removeSubrange(min(at, bytes.count)..<min(bytes.count, at + random.below(9)))
        case 2: bytes.insert(contentsOf: bytes.prefix(random.below(64)), at: at)
        case 3: bytes.insert(contentsOf: Self.seeds[random.below(Self.seeds.count)].utf8, at: at)
        default:
            if at < bytes.count { bytes[at] = "<>&;\"'=/\n\r\0%#?:".utf8.randomElement(using: &random) ?? 0 }
        }
    }
}

/// The same numbers every time (xorshift64).
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }
}
