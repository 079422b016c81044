import Base
import Markup

/// Reads RSS (0.9 to 2.0, 1.0 as RDF) and Atom, with what podcasts add to them, also mixed.
///
/// Sources: https://www.rssboard.org/rss-specification, RFC 4287, https://www.rssboard.org/media-rss,
/// https://help.apple.com/itc/podcasts_connect, https://podcasting2.org/docs/podcast-namespace.
final class FeedReader: PublicationReader {
    private static let xml = ["http://www.w3.org/XML/1998/namespace", "xml"]
    /// Elements beyond that within one another are passed over: no feed has them.
    private static let deepest = 256
    /// No text is longer, in bytes.
    private static let longestText = 256 << 10
    /// Elements in which others are told of, not text.
    private static let containers: Set<String> = [
        "rss", "rdf", "channel", "feed", "item", "entry", "image", "group", "items", "alternateenclosure",
    ]
    /// Elements about something else.
    private static let foreign: Set<String> = ["textinput", "owner", "skiphours", "skipdays", "comments"]

    private struct Element {
        let vocabulary: Vocabulary
        let name: String
        let attributes: [MarkupAttribute]
        let addresses: FeedAddresses

        subscript(attribute: String) -> String? {
            attributes.first { $0.name.local.lowercased() == attribute }?.value
        }
    }

    private var path: [Element] = []
    private let addresses: FeedAddresses
    private var channel = FeedChannel()
    private var item: FeedItem?
    private var publication = Publication()
    /// Where in the path the element is whose text is gathered; nil for none.
    private var captured: Int?
    private var text = ""
    private var foreignDepth = 0

    init(_ addresses: FeedAddresses) { self.addresses = addresses }

    func finished() -> Publication {
        // A document that was cut may end within a text, and within an item.
        takeCaptured()
        if let item { finish(item) }
        channel.finish(&publication)
        return publication
    }

    static func isOfUse(_ publication: Publication) -> Bool {
        !publication.items.isEmpty || publication.title != nil
    }

    // MARK: Elements

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        guard path.count < Self.deepest else { return }
        let base = attributes.first { $0.name.local == "base" && Self.xml.contains($0.name.namespace) }
        let outer = path.last?.addresses ?? addresses
        let element = Element(
            vocabulary: Vocabulary(name.namespace), name: name.local.lowercased(), attributes: attributes,
            addresses: base.map { outer.within(base: $0.value) } ?? outer)
        path.append(element)
        // XHTML within a text: its blocks are told apart.
        if captured != nil { return text.append(" ") }
        guard foreignDepth == 0, !isForeign(element) else { return foreignDepth += 1 }
        if item == nil, isItem(element) { item = FeedItem() }
        takeAttributes(element)
        let isContainer = Self.containers.contains(element.name) && element.vocabulary != .itunes
        // In Atom it holds a name, in RSS it is one.
        let isPerson = element.vocabulary == .atom && ["author", "contributor"].contains(element.name)
        if !isContainer, !isPerson {
            captured = path.count - 1
            text = ""
        }
    }

    func text(_ text: String) {
        guard captured != nil, self.text.utf8.count < Self.longestText else { return }
        self.text += text
    }

    func elementEnded(_ name: MarkupName) {
        let local = name.local.lowercased()
        let vocabulary = Vocabulary(name.namespace)
        // Where markup is no XML, ends may be missing, or belong to nothing.
        guard let start = path.lastIndex(where: { $0.name == local && $0.vocabulary == vocabulary }) else {
            return
        }
        if let captured, start > captured { return path.removeSubrange(start...) }
        takeCaptured()
        let element = path[start]
        if foreignDepth > 0 { foreignDepth = max(0, foreignDepth - (path.count - start)) }
        path.removeSubrange(start...)
        if isItem(element), let done = item, !path.contains(where: isItem) { finish(done) }
    }

    private func isItem(_ element: Element) -> Bool {
        ["item", "entry"].contains(element.name) && [.core, .atom].contains(element.vocabulary)
    }

    private func isForeign(_ element: Element) -> Bool {
        Self.foreign.contains(element.name) || (element.vocabulary == .atom && element.name == "source")
    }

    private func finish(_ done: FeedItem) {
        item = nil
        guard let published = done.published(), publication.items.count < Feed.mostItems else {
            publication.leftOutCount += 1
            return
        }
        publication.items.append(published)
    }

    // MARK: What they say

    private func takeAttributes(_ element: Element) {
        let picture = element["href"].flatMap(element.addresses.url)
        if element.vocabulary == .itunes, element.name == "image" {
            if item != nil {
                item?.picture.offer(picture, rank: 3)
            } else {
                channel.picture.offer(picture, rank: 2)
            }
        }
        if element.vocabulary == .atom, element.name == "link" { takeLink(element) }
        guard item != nil else { return }
        switch (element.vocabulary, element.name) {
        case (.core, "enclosure"):
            let url = (element["url"] ?? element["href"]).flatMap(element.addresses.url)
            item?.add(url: url, mediaType: element["type"], size: element["length"])
        case (.media, "content"): takeMedia(element)
        case (.media, "thumbnail"):
            item?.picture.offer(element["url"].flatMap(element.addresses.url), rank: 1)
        case (.podcast, "source"):
            let alternate = path.dropLast().last { $0.name == "alternateenclosure" }
            let url = element["uri"].flatMap(element.addresses.url)
            item?.add(url: url, mediaType: alternate?["type"], size: alternate?["length"])
        case (_, "category"):
            if let term = element["term"] ?? element["text"] { item?.add(tag: term) }
        default: break
        }
    }

    private func takeLink(_ element: Element) {
        let url = element["href"].flatMap(element.addresses.url)
        switch element["rel"]?.lowercased() ?? "alternate" {
        case "enclosure": item?.add(url: url, mediaType: element["type"], size: element["length"])
        case "alternate": if item?.link == nil { item?.link = url }
        default: break
        }
    }

    private func takeMedia(_ element: Element) {
        let url = element["url"].flatMap(element.addresses.url)
        let type = FeedItem.mediaType(element["type"]) ?? ""
        if element["medium"] == "image" || type.hasPrefix("image/") {
            item?.picture.offer(url, rank: 0)
        } else if element["medium"] != "document" || !type.isEmpty {
            item?.add(
                url: url, mediaType: element["type"], size: element["filesize"],
                isDefault: element["isdefault"] == "true")
            item?.duration.offer(element["duration"].flatMap(FeedNumber.duration), rank: 0)
        }
    }

    /// Takes the text that was gathered, whether its element was ended or what it stands in.
    private func takeCaptured() {
        guard let index = captured else { return }
        captured = nil
        take(path[index], text, parent: index > 0 ? path[index - 1].name : "")
    }

    private func take(_ element: Element, _ text: String, parent: String) {
        if item == nil {
            channel.take(element.vocabulary, element.name, text, parent: parent, element.addresses)
        } else if ["item", "entry", "group", "author"].contains(parent) {
            item?.take(element.vocabulary, element.name, text, parent: parent, element.addresses) {
                element[$0]
            }
        }
    }
}
