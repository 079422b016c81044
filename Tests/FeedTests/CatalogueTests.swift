import Base
import Testing

@testable import Feed

@Suite struct CatalogueTests {
    /// What a catalogue in both forms becomes.
    private var expected: PublishedItem {
        var item = PublishedItem(kind: .album)
        item.guid = "7"
        item.title = "One"
        item.creators = ["Ann", "Bob"]
        item.number = 3
        item.date = 1_704_067_200
        item.duration = 90.5
        item.summary = "Text"
        item.contents = [.init(url: "http://p.test/shows/1.mp3", mediaType: "audio/mpeg", size: 12)]
        item.picture = "http://p.test/c.jpg"
        item.tags = ["jazz"]
        item.places = [.init(address: "Oslo"), .init(latitude: 1, longitude: 2)]
        return item
    }

    @Test func jsonIsRead() throws {
        let item: JSONValue = .object([
            "id": .integer(7), "kind": .string("album"), "title": .string("One"),
            "creators": .array([.string("Ann"), .object(["name": .string("Bob")])]), "number": .integer(3),
            "date": .string("2024-01-01"), "duration": .real(90.5), "summary": .string("<p>Text</p>"),
            "contents": .array([
                .object(["url": .string("1.mp3"), "type": .string("audio/mpeg"), "size": .integer(12)])
            ]),
            "cover": .string("/c.jpg"), "tags": .array([.string("jazz")]),
            "locations": .array([
                .object(["address": .string("Oslo")]),
                .object(["latitude": .integer(1), "longitude": .integer(2)]),
            ]),
        ])
        let value: JSONValue = .object([
            "title": .string("Shop"), "items": .array([item, .null, .integer(5)]),
        ])
        let publication = try #require(try published("{}") { _ in value })
        #expect(publication.title == "Shop")
        #expect(publication.items == [expected])
        #expect(publication.leftOutCount == 2)
    }

    @Test func aPropertyListIsTheSame() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>Title</key><string>Shop</string><key>Items</key><array><dict>
            <key>ID</key><integer>7</integer><key>Kind</key><string>Album</string><key>Title</key><string>One</string>
            <key>Creators</key><array><string>Ann</string><string>Bob</string></array><key>Number</key><integer>3</integer>
            <key>Date</key><date>2024-01-01T00:00:00Z</date><key>Duration</key><real>90.5</real>
            <key>Summary</key><string>Text</string><key>Content</key><dict><key>URL</key><string>1.mp3</string>
            <key>Type</key><string>audio/mpeg</string><key>Size</key><integer>12</integer></dict>
            <key>Cover</key><string>/c.jpg</string><key>Tags</key><array><string>jazz</string></array><key>Locations</key>
            <array><string>Oslo</string><dict><key>Latitude</key><real>1</real><key>Longitude</key><real>2</real></dict>
            </array><key>Free</key><true/></dict></array></dict></plist>
            """
        let publication = try #require(try published(text))
        #expect(publication.title == "Shop")
        #expect(publication.items == [expected])
    }

    @Test func aBareListOfIssuesIsACatalogue() throws {
        let text = """
            <plist version="1.0"><array><dict><key>Name</key><string>Issue 1</string><key>Content</key>
            <string>http://p.test/1.mp3</string></dict></array></plist>
            """
        let items = try #require(try published(text)).items
        #expect(items.map(\.title) == ["Issue 1"])
        #expect(items.first?.kind == .track)
    }

    @Test func jsonFeedIsRead() throws {
        let item: JSONValue = .object([
            "id": .string("a"), "url": .string("http://p.test/page"), "title": .string("One"),
            "content_text": .string("Text"), "date_published": .string("2024-01-01T00:00:00Z"),
            "attachments": .array([
                .object([
                    "url": .string("http://p.test/1.mp3"), "mime_type": .string("audio/mpeg"),
                    "size_in_bytes": .integer(12), "duration_in_seconds": .integer(60),
                ])
            ]),
        ])
        let value: JSONValue = .object([
            "version": .string("https://jsonfeed.org/version/1.1"), "title": .string("Feed"),
            "items": .array([item]),
        ])
        let read = try #require(try published("{}") { _ in value }?.items.first)
        #expect(read.contents == [.init(url: "http://p.test/1.mp3", mediaType: "audio/mpeg", size: 12)])
        #expect(read.duration == 60)
        #expect(read.date == 1_704_067_200)
    }

    @Test func aStationWithCoordinatesNeedsNoAddress() throws {
        let item: JSONValue = .object([
            "kind": .string("station"), "name": .string("Radio"), "stream": .string("http://p.test/live"),
            "lat": .string("59.9"), "lng": .real(10.7),
        ])
        let read = try #require(try published("[{}]") { _ in .array([item]) }?.items.first)
        #expect(read.kind == .station)
        #expect(read.places == [.init(latitude: 59.9, longitude: 10.7)])
    }

    @Test(arguments: [
        JSONValue.object([:]), .object(["items": .string("x")]), .object(["error": .string("no")]),
    ])
    func whatNamesNoItemsIsRefused(_ value: JSONValue) {
        #expect(throws: FeedError.self) { try published("{}") { _ in value } }
    }

    @Test func whatOnlyBeginsLikeJSONIsRefused() {
        #expect(throws: FeedError.self) { try published("{\"a\":") }
    }

    @Test(arguments: ["<plist></plist>", "<plist><dict>", "<plist><key>x</key></plist>"])
    func brokenPropertyListsAreRefused(_ text: String) {
        #expect(throws: FeedError.self) { try published(text) }
    }

    @Test func outlinesOfAnyDepthAreFoundOnce() throws {
        let text = """
            <?xml version="1.0"?><opml version="1.0"><head><title>x</title></head><body>
            <outline text="flat" type="rss" xmlUrl="http://p.test/a"/>
            <outline text="F1"><outline text="F2"><outline title="only title" xmlUrl="http://p.test/b"/></outline>
            <outline/></outline>
            <outline type="rss" title="tech"><outline type="rss" text="c" xmlurl="http://p.test/c"/></outline>
            <outline text="dup" xmlUrl="http://p.test/a"/><outline text="bad" xmlUrl="file:///x"/>
            <outline text="empty" xmlUrl=" "/></body></opml>
            """
        let publication = try #require(try published(text))
        #expect(publication.title == "x")
        #expect(publication.outlines.map(\.url) == ["http://p.test/a", "http://p.test/b", "http://p.test/c"])
        #expect(publication.outlines.map(\.title) == ["flat", "only title", "c"])
        #expect(publication.leftOutCount == 1)
    }

    @Test func anOutlineThatIsNoXMLIsRead() throws {
        let text = "<opml><body><outline text=\"A & B\" xmlUrl=\"http://p.test/a?x=1&y=2\"></body>"
        #expect(try published(text)?.outlines == [.init(url: "http://p.test/a?x=1&y=2", title: "A & B")])
    }
}
