import Base
import Testing

@testable import Loader

@Suite struct ICYMetadataParserTests {
    private func title(_ block: String, _ charset: Charset = .latin1) -> String? {
        var parser = ICYMetadataParser(charset: charset)
        return parser.parse(Array(block.utf8))?.first { $0.name == "StreamTitle" }?.value
    }

    @Test(arguments: [
        ("StreamTitle='Yazoo - Don't Go';", "Yazoo - Don't Go"),
        (
            "StreamTitle='Guns N' Roses - Sweet Child O' Mine';StreamUrl='';",
            "Guns N' Roses - Sweet Child O' Mine"
        ),
        ("StreamTitle='Rock 'n' Roll';", "Rock 'n' Roll"),
        (
            "StreamTitle='THE ONE &amp; TWO - PRAY; AGAIN';StreamUrl='http://x.test/?a=1;b=2';",
            "THE ONE &amp; TWO - PRAY; AGAIN"
        ),
        ("StreamTitle='A'; B';StreamUrl='x';", "A'; B"),
        ("StreamTitle='No Semicolon'", "No Semicolon"), ("StreamTitle='No Quote", "No Quote"),
        ("StreamTitle='No Quote;", "No Quote"), ("StreamTitle=Bare Value;", "Bare Value"),
        ("streamtitle='lower case key';", "lower case key"),
        ("StreamUrl='u';StreamTitle='second';", "second"), ("  StreamTitle='spaces'; ", "spaces"),
        ("StreamTitle='line\nbreak';", "line break"), ("StreamTitle=\"double quotes\";", "double quotes"),
        ("StreamTitle='short';\0nger title before';", "short"),
        ("StreamTitle='short'\0StreamTitle='longer';", "short"),
        ("StreamTitle='\"Heroes\" - Bowie';", "\"Heroes\" - Bowie"),
        ("StreamTitle='A - B';adw_ad='true';durationMilliseconds='1000';", "A - B"),
        ("StreamTitle='';", nil), ("StreamTitle", nil), ("=';';='", nil), ("';';';", nil), ("", nil),
    ])
    func titlesRunToTheirRealEnd(block: String, expected: String?) {
        #expect(title(block) == expected)
        #expect(title(block + String(repeating: "\0", count: 9)) == expected)
    }

    @Test func urlsKeepTheirSemicolons() {
        let fields = ICYMetadataParser.fields(
            Array("StreamTitle='a';StreamUrl='http://x.test/?a=1;b=2';".utf8))
        #expect(fields == [.init("StreamTitle", "a"), .init("StreamUrl", "http://x.test/?a=1;b=2")])
    }

    @Test func emptyBlocksChangeNothingAndEmptyValuesClear() {
        var parser = ICYMetadataParser()
        let blocks = [
            "StreamTitle='One';", "", "", "StreamTitle='';", "", "StreamTitle='Two';", "\0\0\0",
            "StreamTitle='Two';",
        ]
        let told = blocks.compactMap { parser.parse(Array($0.utf8))?.first?.value }
        #expect(told == ["One", "", "Two"])
    }

    @Test func aTitleIsClearedOnceWhenTheStreamHasNoMoreOfThem() {
        var parser = ICYMetadataParser()
        #expect(parser.clear() == nil)
        _ = parser.parse(Array("StreamTitle='One';".utf8))
        #expect(parser.clear() == [.init("StreamTitle", "")])
        #expect(parser.clear() == nil)
        #expect(parser.parse(Array("StreamTitle='One';".utf8)) != nil)
    }

    @Test func attributesInATitleAreReadAndTheTitleStaysWhole() {
        let raw =
            "Band - text=\"Sweet Home\" song_spot=\"M\" length=\"00:04:42\" art=\"http://img.test/x.jpg\""
        let fields = ICYMetadataParser.fields(Array("StreamTitle='\(raw)';".utf8))
        #expect(fields == [.init("StreamTitle", raw), .init("text", "Sweet Home")])
        #expect(ICYMetadataParser.attribute("ext", in: raw) == nil)
        #expect(ICYMetadataParser.attribute("art", in: "art=\"open") == nil)
    }

    @Test func theLargestBlockIsReadWhole() {
        let long = String(repeating: "L", count: 4080 - "StreamTitle='';".utf8.count)
        #expect(title("StreamTitle='\(long)';") == long)
    }

    private static let charsets: [([UInt8], String?, String)] = [
        ([0x4d, 0xf6, 0x74], nil, "Möt"), ([0xdc, 0xe9, 0x92], nil, "Üé’"),
        (Array("夜 – Кино".utf8), nil, "夜 – Кино"),
        ([0xc0, 0xf0, 0xf2, 0xe8, 0xf1, 0xf2], "windows-1251", "Артист"),
        ([0xc0, 0xf0, 0xf2, 0xe8, 0xf1, 0xf2], nil, "Àðòèñò"),
        ([0x83, 0x65, 0x83, 0x58], "Shift_JIS", "テス"), (Array("ü".utf8), "windows-1251", "ü"),
        ([0xef, 0xbb, 0xbf, 0xc3, 0xa9], nil, "é"), (Array("Кин".utf8) + [0xd0], nil, "Кин"),
        (Array("夜夜".utf8) + [0xe5, 0xa4], nil, "夜夜"), (Array("Caf".utf8) + [0xe9], nil, "Café"),
        (Array("ü".utf8) + [0xe9, 0x20], nil, "Ã¼é "),
        ([0x81, 0x81, 0xff], "Shift_JIS", "\u{20}\u{20}ÿ"),
    ]

    @Test(arguments: charsets)
    func titlesAreUTF8ElseTheStationsCharsetElseLatin1(bytes: [UInt8], charset: String?, text: String) throws
    {
        let known = try charset.map { try #require(Charset(name: $0)) } ?? .latin1
        var parser = ICYMetadataParser(charset: known)
        let block = Array("StreamTitle='".utf8) + bytes + Array("';".utf8)
        #expect(parser.parse(block)?.first?.value == text)
    }

    @Test func charsetsAreKnownByName() {
        #expect(Charset(name: "no such charset") == nil)
        #expect(Charset(name: "") == nil)
        #expect(Charset(name: "ISO-8859-1") == .latin1)
        #expect(Charset(name: "windows-1257") == .named("windows-1257"))
    }

    @Test func hostileBlocksNeverTrap() {
        var seed: UInt64 = 99
        let alphabet = Array("StreamTitle='; =\0\u{27}\u{27};;a".utf8) + [0xff, 0x80, 0xc3]
        for _ in 0..<3000 {
            var block: [UInt8] = []
            for _ in 0..<Int(seed % 97) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                block.append(alphabet[Int(seed >> 33) % alphabet.count])
            }
            seed = seed &* 6_364_136_223_846_793_005 &+ 1
            var parser = ICYMetadataParser()
            _ = parser.parse(block)
        }
    }
}
