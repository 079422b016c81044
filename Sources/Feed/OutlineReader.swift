import Base
import Markup

/// Reads OPML (http://opml.org/spec2.opml): feeds, in folders of any depth.
final class OutlineReader: PublicationReader {
    private let addresses: FeedAddresses
    private var publication = Publication()
    private var seen: Set<String> = []
    private var isTitle = false
    private var title = ""

    init(_ addresses: FeedAddresses) { self.addresses = addresses }

    func finished() -> Publication {
        publication.title = PlainText.title(title)
        return publication
    }

    static func isOfUse(_ publication: Publication) -> Bool { !publication.outlines.isEmpty }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        let local = name.local.lowercased()
        isTitle = local == "title"
        guard local == "outline" else { return }
        func value(_ wanted: String) -> String? {
            attributes.first { $0.name.local.lowercased() == wanted }?.value
        }
        guard let written = value("xmlurl"), !written.trimmingBlanks.isEmpty else { return }
        guard let url = addresses.url(written), publication.outlines.count < Feed.mostItems else {
            publication.leftOutCount += 1
            return
        }
        guard seen.insert(url).inserted else { return }
        let title = [value("title"), value("text")].compactMap { $0.flatMap(PlainText.title) }.first
        publication.outlines.append(PublishedOutline(url: url, title: title))
    }

    func text(_ text: String) {
        if isTitle, title.utf8.count < 4096 { title += text }
    }

    func elementEnded(_ name: MarkupName) { isTitle = false }
}
