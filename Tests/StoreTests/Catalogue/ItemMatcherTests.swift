import Base
import Support
import Testing

@testable import Store

/// Two states of one document, and what becomes of the items of the first in the second.
struct Edition: Sendable, CustomTestStringConvertible {
    let name: String
    let before: [Told]
    let after: [Told]
    /// For each of `after`: the index in `before`, -1 for new, -2 for a double.
    let expected: [Int]

    var testDescription: String { name }
}

/// An item as a document tells of it.
struct Told: Sendable {
    var guid: String?
    var url: String
    var title: String
    var date: Double?

    init(_ guid: String?, _ url: String, _ title: String, _ date: Double? = nil) {
        (self.guid, self.url, self.title, self.date) = (guid, url, title, date)
    }

    var keys: ItemKeys {
        var item = PublishedItem(kind: .episode)
        (item.guid, item.title, item.date) = (guid, title, date)
        item.contents = [.init(url: url)]
        return ItemKeys(item)
    }
}

@Suite struct ItemMatcherTests {
    private static let one = Told("g1", "http://p.test/1.mp3", "One", 1)
    private static let two = Told("g2", "http://p.test/2.mp3", "Two", 2)

    private static let editions = [
        Edition(name: "nothing changed", before: [one, two], after: [one, two], expected: [0, 1]),
        Edition(
            name: "a new one on top", before: [one], after: [two, one], expected: [-1, 0]),
        Edition(
            name: "no guids, one renamed",
            before: [Told(nil, "http://p.test/0.mp3", "Ep 0"), Told("", "http://p.test/1.mp3", "Ep 1")],
            after: [
                Told(nil, "http://p.test/5.mp3", "Ep 5"), Told(nil, "http://p.test/0.mp3", "Ep 0 (renamed)"),
                Told(nil, "http://p.test/1.mp3", "Ep 1"),
            ], expected: [-1, 0, 1]),
        Edition(
            name: "guids changed, media the same but for its query",
            before: [
                Told("g-1", "http://p.test/1.mp3?t=1", "One"), Told("g-2", "http://p.test/2.mp3", "Two"),
            ],
            after: [
                Told("NEW-1", "http://p.test/1.mp3?t=2", "One"), Told("NEW-2", "http://p.test/2.mp3", "Two"),
                Told("g-3", "http://p.test/3.mp3", "Three"),
            ], expected: [0, 1, -1]),
        Edition(
            name: "host moved", before: [one],
            after: [Told("g1", "https://cdn.example/x/1-v2.mp3", "One", 1)], expected: [0]),
        Edition(
            name: "host moved and guid changed", before: [one],
            after: [Told("n1", "https://cdn.example/x/1.mp3", "One", 1)], expected: [0]),
        Edition(
            name: "guid and title changed, the sound and its moment are the same", before: [one, two],
            after: [Told("n1", one.url, "One, remastered", 1), Told("n2", two.url, "Two!", 2)],
            expected: [0, 1]),
        Edition(
            name: "another moment and another title are another item, though the file has the same name",
            before: [one], after: [Told("n1", one.url, "Today", 9)], expected: [-1]),
        Edition(
            name: "all files have one name",
            before: (0..<3).map { Told("g\($0)", "http://p.test/get/media.mp3?id=\($0)", "Ep \($0)") },
            after: (0..<3).reversed().map {
                Told("g\($0)", "http://p.test/get/media.mp3?id=\($0)", "Ep \($0)")
            },
            expected: [2, 1, 0]),
        Edition(
            name: "same names and no guids",
            before: [
                Told(nil, "http://p.test/m.mp3?id=1", "A", 1), Told(nil, "http://p.test/m.mp3?id=2", "B", 2),
            ],
            after: [
                Told(nil, "http://p.test/m.mp3?id=3", "C", 3), Told(nil, "http://p.test/m.mp3?id=2", "B", 2),
            ],
            expected: [-1, 1]),
        Edition(
            name: "one guid for all", before: [Told("x", "http://p.test/1.mp3", "One")],
            after: [Told("x", "http://p.test/2.mp3", "Two"), Told("x", "http://p.test/1.mp3", "One")],
            expected: [-1, 0]),
        Edition(
            name: "one guid for all, all with new queries",
            before: [
                Told("x", "http://p.test/1.mp3?id=1", "One"), Told("x", "http://p.test/2.mp3?id=1", "Two"),
            ],
            after: [
                Told("x", "http://p.test/2.mp3?id=2", "Two"), Told("x", "http://p.test/1.mp3?id=2", "One"),
            ],
            expected: [1, 0]),
        Edition(
            name: "a constant guid for the latest", before: [Told("latest", "http://p.test/1.mp3", "Mon", 1)],
            after: [Told("latest", "http://p.test/2.mp3", "Tue", 2)], expected: [-1]),
        Edition(
            name: "corrected title and date", before: [one],
            after: [Told("g1", "http://p.test/1.mp3", "One, corrected", 7)], expected: [0]),
        Edition(
            name: "the same item twice", before: [], after: [one, one, two], expected: [-1, -2, -1]),
        Edition(
            name: "a rerun with a guid and a title of its own", before: [one],
            after: [Told("g9", "http://p.test/1.mp3", "One (rerun)", 9), one], expected: [-1, 0]),
        Edition(
            name: "guids are given at last", before: [Told(nil, "http://p.test/1.mp3", "One")],
            after: [Told("g1", "http://p.test/1.mp3", "Chapter One")], expected: [0]),
        Edition(
            name: "guid with spaces around it", before: [one],
            after: [Told("\n  g1 ", "http://q.test/a.mp3", "One", 1)], expected: [0]),
        Edition(
            name: "http becomes https, the host another case",
            before: [Told(nil, "http://P.test/1.mp3", "One")],
            after: [Told(nil, "https://p.test/1.mp3#t=0", "Uno")], expected: [0]),
        Edition(
            name: "a signed URL",
            before: [Told(nil, "http://p.test/1.mp3?id=1&Signature=a&Expires=1", "One")],
            after: [Told(nil, "http://p.test/1.mp3?id=1&Signature=b&Expires=2", "Uno")], expected: [0]),
        Edition(
            name: "moved without guid, by title and date",
            before: [Told(nil, "http://p.test/1.mp3", "One", 1)],
            after: [Told(nil, "http://q.test/uno.mp3", "One", 1)], expected: [0]),
        Edition(
            name: "items without a title are not one", before: [Told(nil, "http://p.test/1.mp3", "", 1)],
            after: [Told(nil, "http://q.test/2.mp3", "", 2), Told(nil, "http://q.test/3.mp3", "", 3)],
            expected: [-1, -1]),
    ]

    @Test(arguments: editions)
    func itemsAreFoundAgain(edition: Edition) {
        let known = edition.before.enumerated().map { index, told in
            KnownItem(id: Int64(index + 1), listing: .listed, keys: told.keys, contentHash: 0)
        }
        let found = ItemMatcher.match(edition.after.map(\.keys), with: known).map { match in
            switch match {
            case .known(let index): index
            case .new: -1
            case .double: -2
            }
        }
        #expect(found == edition.expected)
    }

    @Test(arguments: 0..<50)
    func neverAreTwoItemsOfADocumentTheSameKnownOne(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func some() -> Told {
            Told(
                random.below(2) == 0 ? "g\(random.below(4))" : nil,
                "http://p.test/\(random.below(4)).mp3?\(random.below(3))", "T\(random.below(4))",
                Double(random.below(3)))
        }
        let known = (0..<8).map { KnownItem(id: $0, listing: .listed, keys: some().keys, contentHash: 0) }
        let matches = ItemMatcher.match((0..<10).map { _ in some().keys }, with: known)
        let rows = matches.compactMap { match -> Int? in
            if case .known(let row) = match { row } else { nil }
        }
        #expect(Set(rows).count == rows.count)
    }
}
