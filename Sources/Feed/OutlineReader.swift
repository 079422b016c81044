import Base
import Markup

/// Reads OPML (http://opml.org/spec2.opml): feeds, in folders of any depth.
final class OutlineReader: MarkupHandler {
    private let addresses: FeedAddresses
    private var publication = Publication()
    private var seen: Set<String> = []
    private var isTitle = false
    private var title = ""

    private init(_ addresses: FeedAddresses) { self.addresses = addresses }

    /// Throws when nothing of it can be used.
    static func read(_ bytes: [UInt8], _ addresses: FeedAddresses) throws(FeedError) -> Publication {
        let strict = OutlineReader(addresses)
        do throws(XMLError) {
            try XMLReader.read(bytes, into: strict)
            return strict.finished()
        } catch {
            let loose = OutlineReader(addresses)
            LooseMarkup.read(XMLReader.text(of: bytes), into: loose)
            var publication = loose.finished()
            guard !publication.outlines.isEmpty else {
                throw FeedError("It is no well-formed XML: line \(error.line), \(error).")
            }
            publication.defect = "line \(error.line): \(error)"
            return publication
        }
    }

    private func finished() -> Publication {
        publication.title = PlainText.title(title)
        return publication
    }

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
