package import Base
import Markup

/// Reads what publishers offer: RSS, Atom, OPML, catalogues in JSON and as property lists. Pure; any thread.
package enum Feed {
    /// Bytes of the longest document that is read.
    package static let mostBytes = 64 << 20
    /// Items that a document may have; what comes after them is left out.
    package static let mostItems = 100_000

    /// Reads a whole document; nil when the bytes are none of these kinds.
    ///
    /// `url` is where it was found, after all redirects, or an absolute path; names in it are resolved against that.
    /// Only with `mayLeadToThisMachine` may a document of the network name this machine. `json` parses JSON. Throws
    /// what is wrong with a document of which nothing can be used.
    package static func read(
        _ bytes: [UInt8], url: String, mayLeadToThisMachine: Bool, json: ([UInt8]) -> JSONValue?
    ) throws(FeedError) -> Publication? {
        let addresses = FeedAddresses(url: url, mayLeadToThisMachine: mayLeadToThisMachine)
        switch FeedFormat(bytes) {
        case .feed: return try FeedReader.read(bytes, addresses)
        case .outline: return try OutlineReader.read(bytes, addresses)
        case .propertyList:
            return try CatalogueReader.read(try PropertyListReader.read(bytes), addresses)
        case .json:
            guard let value = json(bytes) else { throw FeedError("It begins like JSON, but is none.") }
            return try CatalogueReader.read(value, addresses)
        case nil: return nil
        }
    }

    /// True for what is a catalogue in JSON or as a property list, by its start.
    package static func isCatalogue(_ bytes: [UInt8]) -> Bool {
        let format = FeedFormat(bytes)
        return format == .json || format == .propertyList
    }
}

/// Why a document cannot be used: a sentence for people.
package struct FeedError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
