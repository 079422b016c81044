package import Base

/// An item as its publisher tells of it, made ready to be kept. Pure.
package struct ItemToKeep: Equatable, Sendable {
    package let published: PublishedItem
    package let keys: ItemKeys
    /// Of a local file.
    package let stamp: FileStamp?
    /// Stands for all that is told of it, but not for the time at which its file was changed.
    package let contentHash: Int64

    /// Folds and hashes what is compared later.
    package init(_ published: PublishedItem, stamp: FileStamp? = nil) {
        self.init(published, keys: ItemKeys(published), stamp: stamp)
    }

    init(_ published: PublishedItem, keys: ItemKeys, stamp: FileStamp? = nil) {
        self.published = published
        self.keys = keys
        self.stamp = stamp
        contentHash = Self.hash(published)
    }

    /// What it is listed as.
    package var title: String { published.title ?? Self.fileName(published.contents.first?.url ?? "") }

    private static func fileName(_ url: String) -> String {
        let name = MediaName.lastPart(of: url)
        return url.utf8.first == UInt8(ascii: "/") ? String(name) : PercentEncoding.decoded(name)
    }

    /// What is searched.
    var folded: String {
        TextTable.folded([
            title, published.creators.joined(separator: "\n"), published.album,
            published.tags.joined(separator: "\n"),
            published.summary,
        ])
    }

    private static func hash(_ published: PublishedItem) -> Int64 {
        var hash = FieldHash()
        hash.add(published.kind.rawValue)
        for text in [published.guid, published.title, published.album, published.summary, published.picture] {
            hash.add(text)
        }
        hash.add(list: published.creators)
        hash.add(list: published.tags)
        for number in [published.date, published.duration, published.number.map(Double.init)] {
            hash.add(number)
        }
        for content in published.contents {
            hash.add(content.url)
            hash.add(content.mediaType)
            hash.add(content.size.map(Double.init))
        }
        hash.add("")
        for place in published.places {
            hash.add(place.address)
            hash.add(place.latitude)
            hash.add(place.longitude)
        }
        return hash.value
    }

    // MARK: Columns

    static let columns = [
        "listing", "kind", "guid_hash", "media_hash", "place_hash", "name_hash", "title_hash", "content_hash",
        "file_time", "file_size", "date", "duration", "number", "size", "contents", "places", "title_key",
        "title",
        "creators", "album", "url", "media_type", "picture", "tags", "guid", "summary",
    ]

    /// Those of the columns.
    var values: [SQLValue] {
        let content = published.contents.first
        return [
            .integer(CatalogueItem.Listing.listed.rawValue), .integer(published.kind.number),
            .optional(keys.guid),
            .integer(keys.media), .integer(keys.place), .integer(keys.name), .integer(keys.title),
            .integer(contentHash), .optional(stamp?.time), .optional(stamp?.size), .optional(published.date),
            .optional(published.duration), .optional(published.number.map(Int64.init)),
            .optional(content?.size),
            .integer(Int64(published.contents.count)), .integer(Int64(published.places.count)),
            .text(FoldedText.folded(title)), .text(title), .list(published.creators),
            .optional(published.album),
            .text(content?.url ?? ""), .optional(content?.mediaType), .optional(published.picture),
            .list(published.tags), .optional(published.guid), .optional(published.summary),
        ]
    }
}

extension PublishedItem.Kind {
    /// How it is kept; never changed.
    var number: Int64 {
        switch self {
        case .track: 0
        case .episode: 1
        case .station: 2
        case .album: 3
        }
    }

    init?(number: Int64) {
        guard let kind = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = kind
    }
}

extension SQLValue {
    /// Texts in one column: no line breaks are in them.
    static func list(_ texts: [String]) -> SQLValue {
        texts.isEmpty ? .null : .text(texts.map { $0.replacing("\n", with: " ") }.joined(separator: "\n"))
    }
}
