import Base
import Testing

@testable import Feed

@Suite struct FeedReaderTests {
    @Test func aPodcastIsReadWhole() throws {
        let text = rss(
            """
            <item><title>One</title><guid isPermaLink="false"> g-1 </guid><link>http://p.test/one</link>
            <pubDate>Tue, 02 Jan 2024 10:00:00 +0000</pubDate><itunes:duration>1:02:03</itunes:duration>
            <description>&lt;p&gt;First &amp;amp; best.&lt;/p&gt;&lt;p&gt;Really&lt;br/&gt;so.&lt;/p&gt;</description>
            <content:encoded><![CDATA[<p>Longer</p>]]></content:encoded>
            <itunes:image href="one.jpg"/><itunes:episode>7</itunes:episode><category>Jazz, Blues</category>
            <itunes:author>Ann</itunes:author><enclosure url="/a/1.mp3" length="1000" type="Audio/MPEG; x=1"/>
            <podcast:alternateEnclosure type="audio/opus" length="500"><podcast:source uri="http://p.test/1.opus"/>
            </podcast:alternateEnclosure>
            <podcast:location geo="geo:48.2,16.37;u=5" osm="R1">Vienna, Austria</podcast:location></item>
            """,
            channel: """
                <description>About</description><itunes:author>Bob</itunes:author><itunes:image href="/show.jpg"/>
                <image><url>/small.png</url><title>not this</title></image>
                <itunes:new-feed-url>https://p.test/new</itunes:new-feed-url>
                """)
        let publication = try #require(try published(text))
        #expect(publication.title == "Show")
        #expect(publication.summary == "About")
        #expect(publication.author == "Bob")
        #expect(publication.picture == "http://p.test/show.jpg")
        #expect(publication.newURL == "https://p.test/new")
        #expect(publication.defect == nil)
        var item = PublishedItem(kind: .episode)
        item.guid = "g-1"
        item.title = "One"
        item.creators = ["Ann"]
        item.album = "Show"
        item.number = 7
        item.date = 1_704_189_600
        item.duration = 3723
        item.summary = "First & best.\nReally\nso."
        item.contents = [
            .init(url: "http://p.test/a/1.mp3", mediaType: "audio/mpeg", size: 1000),
            .init(url: "http://p.test/1.opus", mediaType: "audio/opus", size: 500),
        ]
        item.picture = "http://p.test/shows/one.jpg"
        item.tags = ["Jazz", "Blues"]
        item.places = [.init(address: "Vienna, Austria", latitude: 48.2, longitude: 16.37)]
        #expect(publication.items == [item])
    }

    @Test func atomIsReadWhole() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://cdn.test/x/"><title type="html">A &amp;amp; B</title>
            <subtitle>Sub</subtitle><author><name>Ann</name></author><logo>logo.png</logo>
            <link rel="self" href="http://p.test/atom"/>
            <entry><id>urn:1</id><title>One</title><updated>2024-02-02T00:00:00Z</updated>
            <published>2024-01-02T10:00:00Z</published><link rel="alternate" href="one.html"/>
            <link rel="enclosure" type="audio/mpeg" length="12" href="1.mp3"/>
            <source><title>elsewhere</title><id>urn:other</id></source><category term="news"/>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hello <b>you</b></p><p>there</p></div></content>
            </entry></feed>
            """
        let publication = try #require(try published(text))
        #expect(publication.title == "A & B")
        #expect(publication.picture == "http://cdn.test/x/logo.png")
        let item = try #require(publication.items.first)
        #expect(item.guid == "urn:1")
        #expect(item.title == "One")
        #expect(item.date == 1_704_189_600)
        #expect(item.contents == [.init(url: "http://cdn.test/x/1.mp3", mediaType: "audio/mpeg", size: 12)])
        #expect(item.creators == ["Ann"])
        #expect(item.tags == ["news"])
        #expect(item.summary == "Hello you there")
    }

    @Test func rdfIsRead() throws {
        let text = """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
                xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
            <channel rdf:about="http://p.test/"><title>Old</title><items><rdf:Seq/></items></channel>
            <item rdf:about="http://p.test/1"><title>One</title><link>http://p.test/1.mp3</link><dc:date>2005-01-02</dc:date>
            <dc:creator>Ann</dc:creator></item></rdf:RDF>
            """
        let publication = try #require(try published(text))
        #expect(publication.title == "Old")
        #expect(publication.items.map(\.title) == ["One"])
        #expect(publication.items.first?.contents.first?.url == "http://p.test/1.mp3")
        #expect(publication.items.first?.date == 1_104_624_000)
        #expect(publication.items.first?.creators == ["Ann"])
    }

    @Test(
        arguments: [
            ("It&amp;#039;s Never &amp;#8220;Over&amp;#8221;", "It's Never “Over”"),
            ("Rock &amp; Roll", "Rock & Roll"),
            ("<![CDATA[A & B <live>]]>", "A & B <live>"), ("Q&amp;amp;A", "Q&A"), ("caf&eacute;", "café"),
            ("AT&amp;T;", "AT&T;"), ("\n  Two\n lines ", "Two lines"), ("  ", nil),
            ("<![CDATA[Tom &amp; Jerry]]>", "Tom & Jerry"),
        ] as [(String, String?)])
    func titleIsShownAsItIsMeant(_ written: String, _ title: String?) throws {
        let text = rss(
            "<item><title>\(written)</title><enclosure url='http://p.test/1.mp3?a=1&amp;b=2'/></item>")
        let item = try #require(try published(text)?.items.first)
        #expect(item.title == title)
        #expect(item.contents.first?.url == "http://p.test/1.mp3?a=1&b=2")
    }

    @Test func oneThatIsNoAudioIsListedBehindWhatIs() throws {
        let text = rss(
            """
            <item><title>Book</title><enclosure url="http://p.test/book.pdf" type="application/pdf"/></item>
            <item><title>Both</title><media:group><media:content url="http://p.test/c.jpg" medium="image"/>
            <media:content url="http://p.test/v.mp4" type="video/mp4"/>
            <media:content url="http://p.test/lo.mp3" type="audio/mpeg" fileSize="5"/>
            <media:content url="http://p.test/hi.mp3" type="audio/mpeg" isDefault="true" duration="60"/></media:group></item>
            <item><title>Post</title><link>http://p.test/post</link></item>
            <item><title>Link</title><link>http://p.test/4.ogg</link></item>
            """)
        let publication = try #require(try published(text))
        #expect(publication.items.map(\.title) == ["Book", "Both", "Link"])
        #expect(publication.leftOutCount == 1)
        let urls = publication.items[1].contents.map(\.url)
        #expect(urls == ["http://p.test/hi.mp3", "http://p.test/lo.mp3", "http://p.test/v.mp4"])
        #expect(publication.items[1].picture == "http://p.test/c.jpg")
        #expect(publication.items[1].duration == 60)
    }

    @Test func placesAreTakenInEveryForm() throws {
        let text = rss(
            """
            <item><title>1</title><enclosure url="/1.mp3"/><georss:point>45.2 -71.9</georss:point></item>
            <item><title>2</title><enclosure url="/2.mp3"/><geo:lat>10</geo:lat><geo:long>20</geo:long></item>
            <item><title>3</title><enclosure url="/3.mp3"/><podcast:location>Oslo</podcast:location></item>
            <item><title>4</title><enclosure url="/4.mp3"/><georss:point>95 0</georss:point></item>
            """)
        let items = try #require(try published(text)).items
        #expect(items[0].places == [.init(latitude: 45.2, longitude: -71.9)])
        #expect(items[1].places == [.init(latitude: 10, longitude: 20)])
        #expect(items[2].places == [.init(address: "Oslo")])
        #expect(items[3].places.isEmpty)
    }

    @Test(arguments: [
        ("<author>ann@p.test (Ann)</author>", ["Ann"]), ("<author>Ann &lt;ann@p.test&gt;</author>", ["Ann"]),
        ("<author>ann@p.test</author>", []), ("<author>Ann</author>", ["Ann"]),
    ])
    func peopleAreShownWithoutTheirMail(_ written: String, _ names: [String]) throws {
        let text = rss("<item><enclosure url='/1.mp3'/>\(written)</item>")
        #expect(try published(text)?.items.first?.creators == names)
    }

    @Test(
        arguments: [
            ("http://p.test/a b.mp3", "http://p.test/a%20b.mp3"),
            ("//cdn.test/1.mp3", "http://cdn.test/1.mp3"),
            (" /1.mp3 ", "http://p.test/1.mp3"), ("1.mp3", "http://p.test/shows/1.mp3"),
            ("file:///etc/passwd", nil), ("http://127.0.0.1/1.mp3", nil), ("http://localhost:80/1.mp3", nil),
            ("javascript:alert(1)", nil), ("ftp://p.test/1.mp3", nil), ("", nil), ("http://", nil),
        ] as [(String, String?)])
    func onlyWhatAFeedMayNameIsTaken(_ written: String, _ url: String?) throws {
        let text = rss("<item><title>T</title><enclosure url=\"\(written)\"/></item>")
        #expect(try published(text)?.items.first?.contents.first?.url == url)
    }

    @Test func aLocalFeedMayNameFilesBesideIt() throws {
        let text = rss(
            "<item><enclosure url='a/1.mp3'/></item><item><enclosure url='file:///m/x%20y.mp3'/></item>")
        let items = try #require(try published(text, at: "/srv/feed.xml")).items
        #expect(items.map { $0.contents[0].url } == ["/srv/a/1.mp3", "/m/x y.mp3"])
    }
}
