import Base
import Support
import Testing

@testable import Feed

/// What is no XML, or means harm.
@Suite struct DamagedFeedTests {
    private static let item = "<item><title>Ep</title><enclosure url='http://p.test/1.mp3'/></item>"

    @Test(arguments: [
        "\u{FEFF}", "\r\n\n  ", "\u{FEFF}\n", "<!-- a comment with <rss> in it -->",
    ])
    func whatStandsBeforeItDoesNotMatter(_ before: String) throws {
        let body = String(rss(Self.item).drop { $0 != "\n" })
        let declared = before + "<?xml version=\"1.0\"\nencoding=\"UTF-8\" ?>" + body
        // A comment may not come before a declaration; after it is the same.
        #expect(try published(before.hasPrefix("<") ? before + body : declared)?.items.count == 1)
    }

    @Test(arguments: [
        ("<title>Salt & Pepper</title>", "Salt & Pepper"), ("<title>A\u{8}B</title>", "A B"),
        ("<title>Open", "Open"), ("<TITLE>Caps</TITLE>", "Caps"), ("<title>A<br>B</title>", "A B"),
    ])
    func whatIsNoXMLIsReadAsFarAsPossible(_ title: String, _ expected: String) throws {
        let text = rss(Self.item + "<item><enclosure url='http://p.test/2.mp3'/>\(title)</item>")
        let publication = try #require(try published(text))
        #expect(publication.items.count == 2)
        #expect(publication.items.last?.title == expected)
    }

    @Test func whatWasCutGivesWhatCame() throws {
        let whole = rss(Self.item + Self.item.replacing("1.mp3", with: "2.mp3"))
        let publication = try #require(try published(String(whole.prefix(whole.count - 20))))
        #expect(publication.items.count == 2)
        #expect(publication.defect != nil)
    }

    @Test func entitiesThatGrowAreNotFollowed() throws {
        var entities = "<!ENTITY a0 'lol'>"
        for level in 1...30 {
            let inner = String(repeating: "&a\(level - 1);", count: 10)
            entities += "<!ENTITY a\(level) '\(inner)'>"
        }
        let body = rss("<item><title>&a30;</title><enclosure url='/1.mp3'/></item>").drop { $0 != "\n" }
        let publication = try published("<?xml version='1.0'?><!DOCTYPE rss [\(entities)]>" + body)
        #expect((publication?.items.first?.title ?? "").utf8.count < 100)
    }

    @Test func externalEntitiesAreNotRead() throws {
        let body = rss("<item><title>&x;</title><enclosure url='/1.mp3'/></item>").drop { $0 != "\n" }
        let publication = try published("<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + body)
        #expect(publication?.items.first?.title == "&x;")
    }

    @Test func deepNestingCostsNothing() throws {
        let deep = String(repeating: "<a>", count: 200_000)
        #expect(try published(rss(Self.item + "<item>" + deep))?.items.count == 1)
        #expect(throws: FeedError.self) {
            try published("<plist>" + String(repeating: "<array>", count: 5000))
        }
    }

    @Test func oneElementOfManyMegabytesIsCut() throws {
        let text = rss(
            "<item><enclosure url='/1.mp3'/><description>\(String(repeating: "word ", count: 1_000_000))</description></item>"
        )
        let item = try #require(try published(text)?.items.first)
        #expect((item.summary ?? "").utf8.count <= PlainText.longest + 4)
    }

    @Test func whatIsNoFeedIsNone() throws {
        for text in [
            "", "<html><body>Sign in</body></html>", "#EXTM3U\n", "[playlist]\nFile1=x", "ID3\u{3}",
            "<playlist/>", "<asx>",
        ] {
            #expect(try published(text) == nil)
        }
        #expect(throws: FeedError.self) { try published("<rss") }
    }

    @Test func randomDamageNeverTraps() throws {
        var random = SeededGenerator(seed: 7)
        let whole = Array(
            rss(Self.item + "<item><podcast:location geo='geo:1,2'>x</podcast:location></item>").utf8)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            _ = try? Feed.read(bytes, url: "http://p.test/", mayLeadToThisMachine: false) { _ in nil }
        }
    }
}
