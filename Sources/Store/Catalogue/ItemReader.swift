import Base

/// Reads items whole, by id. The thread of its connection.
package final class ItemReader {
    private let database: Database
    private let locations: LocationTable
    private var statement: Statement?

    init(_ database: Database, _ locations: LocationTable) {
        self.database = database
        self.locations = locations
    }

    /// An item with its contents and places; nil when there is none of that id.
    package func item(_ id: Int64) throws(StoreError) -> CatalogueItem? {
        var found: CatalogueItem?
        _ = try row(id) { row, contents, locations in
            found = Self.item(row)
            found?.published.contents += contents
            found?.locations = locations
        }
        return found
    }

    /// Shows an item where it lies, with its further contents and its places; false when there is none of that id.
    func row(
        _ id: Int64, _ body: (ItemRow, [PublishedItem.Content], [CatalogueLocation]) -> Void
    ) throws(StoreError) -> Bool {
        let statement = try whole()
        try statement.bind(id)
        defer { statement.reset() }
        guard try statement.step() else { return false }
        let row = ItemRow(row: statement)
        body(
            row, row.contents > 1 ? try contents(of: id) : [],
            row.places > 0 ? try locations.locations(of: id) : [])
        return true
    }

    /// Found once: to look for it by its text costs as much as to run it.
    private func whole() throws(StoreError) -> Statement {
        if let statement { return statement }
        let made = try database.statement("SELECT \(ItemRow.columns) FROM items WHERE id = ?")
        statement = made
        return made
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

    private static func item(_ row: ItemRow) -> CatalogueItem {
        var published = PublishedItem(kind: row.kind)
        published.date = row.date
        published.duration = row.duration
        published.number = row.number.map { Int(clamping: $0) }
        published.title = row.text(.title)
        published.creators = row.list(.creators)
        published.album = row.text(.album)
        published.contents = [row.content]
        published.picture = row.text(.picture)
        published.tags = row.list(.tags)
        published.guid = row.guid
        published.summary = row.text(.summary)
        return CatalogueItem(
            id: row.id, source: row.source, listing: row.listing, published: published, added: row.added,
            user: row.user, isAvailable: row.isAvailable)
    }
}
