import Base
import Testing

@testable import Terminal

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}]0;x\u{7}b", "a ]0;x b"), (" a\n\t b ", "a b"),
        ("a\u{9B}31mb", "a 31mb"),
        ("x\u{202E}yz", "xyz"), ("\u{FEFF}t", "t"), ("a\u{2028}b", "a b"), ("日本", "日本"), ("", ""),
    ])
    func nothingOfOthersMovesTheTerminal(text: String, plain: String) {
        #expect(PlainText.line(text) == plain)
    }

    @Test func paragraphsStay() {
        #expect(PlainText.paragraphs("one\r\n\n two\u{1B}[2J\n") == ["one", "two [2J"])
    }

    @Test func anItemIsPlainWhateverItsPublisherWrote() throws {
        let evil = JSONValue.string("a\u{1B}[2Jb")
        let place = JSONValue.object([
            "address": evil, "geo": .string("geo:1,2"), "state": .string("resolved"),
        ])
        let item = try #require(
            StoreItem(
                .object([
                    "id": .integer(7), "kind": .string("episode"), "title": evil,
                    "creators": .array([evil, evil]),
                    "album": evil, "date": .string("2024-05-06T01:02:03Z"), "duration": .real(83),
                    "size": .real(1e300),
                    "summary": .string("one\ntwo"), "url": evil, "available": .bool(true),
                    "heard": .bool(false),
                    "position": .real(61), "locations": .array([place]), "tags": .array([evil]),
                ])))
        #expect(item.title == "a [2Jb" && item.creators == "a [2Jb, a [2Jb" && item.day == "2024-05-06")
        #expect(item.state == "here, left at 1:01" && item.geo == "geo:1,2" && item.marks() == "◐↓")
        #expect(item.facts.allSatisfy { !$0.text.contains("\u{1B}") })
        #expect(item.facts.contains(.init("place", "a [2Jb (geo:1,2)")))
        #expect(item.summary == ["one", "two"])
    }

    @Test func anItemWithoutATitleIsCalledByItsFile() {
        let item = StoreItem(.object(["id": .integer(1), "title": .null, "url": .string("/m/x.mp3")]))
        #expect(item?.title == "x.mp3")
        #expect(StoreItem(.object(["title": .string("no id")])) == nil)
    }
}
