import Base
import Markup

/// A reader of one kind of markup that becomes a publication: as XML, or, where it is none, as far as possible.
protocol PublicationReader: MarkupHandler {
    /// Makes one for a single reading.
    init(_ addresses: FeedAddresses)

    /// What was read until now.
    func finished() -> Publication

    /// True when something came of markup that is no XML.
    static func isOfUse(_ publication: Publication) -> Bool
}

extension PublicationReader {
    /// Reads a document. Throws when nothing of it can be used.
    static func read(_ bytes: [UInt8], _ addresses: FeedAddresses) throws(FeedError) -> Publication {
        let strict = Self(addresses)
        do throws(XMLError) {
            try XMLReader.read(bytes, into: strict)
            return strict.finished()
        } catch {
            let loose = Self(addresses)
            LooseMarkup.read(XMLReader.text(of: bytes), into: loose)
            var publication = loose.finished()
            guard isOfUse(publication) else {
                throw FeedError("It is no well-formed XML: line \(error.line), \(error).")
            }
            publication.defect = "line \(error.line): \(error)"
            return publication
        }
    }
}
