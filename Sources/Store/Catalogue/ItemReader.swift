import Base

/// Reads items whole, by id. The thread of its connection.
package final class ItemReader {
    private static let columns =
        "id, source, listing, kind, date, duration, number, size, added, \(UserMarks.columns), "
        + "available, contents, places, title, creators, album, url, media_type, picture, tags, guid, "
        + "summary"

    private let database: Database
    private let locations: LocationTable

    init(_ database: Database, _ locations: LocationTable) {
        self.database = database
        self.locations = locations
    }

    /// An item with its contents and places; nil when there is none of that id.
    package func item(_ id: Int64) throws(StoreError) -> CatalogueItem? {
        let row = try database.statement("SELECT \(Self.columns) FROM items WHERE id = ?")
        try row.bind([.integer(id)])
        defer { row.reset() }
        guard try row.step() else { return nil }
        var item = Self.item(row)
        if row.integer(15) > 1 { item.published.contents += try contents(of: id) }
        if row.integer(16) > 0 { item.locations = try locations.locations(of: id) }
        return item
    }

    private func contents(of id: Int64) throws(StoreError) -> [PublishedItem.Content] {
        var found: [PublishedItem.Content] = []
        try database.rows(
            "SELECT url, media_type, size FROM contents WHERE item = ? ORDER BY place", [.integer(id)]
        ) { (row) throws(StoreError) in
            found.append(.init(url: row.text(0) ?? "", mediaType: row.text(1), size: row.optionalInteger(2)))
        }
        return found
    }

    private static func item(_ row: Statement) -> CatalogueItem {
        var published = PublishedItem(kind: PublishedItem.Kind(number: row.integer(3)) ?? .track)
        published.date = row.optionalReal(4)
        published.duration = row.optionalReal(5)
        published.number = row.optionalInteger(6).map { Int(clamping: $0) }
        published.title = row.text(17)
        published.creators = list(row.text(18))
        published.album = row.text(19)
        published.contents = [
            .init(url: row.text(20) ?? "", mediaType: row.text(21), size: row.optionalInteger(7))
        ]
        published.picture = row.text(22)
        published.tags = list(row.text(23))
        published.guid = row.text(24)
        published.summary = row.text(25)
        return CatalogueItem(
            id: row.integer(0), source: row.integer(1), listing: .init(rawValue: row.integer(2)) ?? .listed,
            published: published, added: row.real(8), user: UserMarks(row, from: 9),
            isAvailable: row.integer(14) != 0)
    }

    private static func list(_ text: String?) -> [String] {
        text.map { $0.split(separator: "\n").map(String.init) } ?? []
    }
}
