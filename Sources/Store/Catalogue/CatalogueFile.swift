package import Base

/// The catalogue's database, open, with its tables. Catalogue thread.
package final class CatalogueFile {
    /// The file's name in the state folder.
    package static let name = "catalogue.db"

    package let sources: SourceTable
    package let items: ItemTable
    package let users: UserTable
    package let locations: LocationTable
    package let downloads: DownloadTable
    let database: Database
    /// Kept as long as the file is: nobody else writes it.
    private var lock: CatalogueLock?

    private init(path: String) throws(StoreError) {
        database = try DatabaseFile.database(
            path, settings: "PRAGMA cache_size = -4096", steps: CatalogueSchema.steps)
        sources = SourceTable(database)
        locations = LocationTable(database)
        items = ItemTable(database, TextTable(database), locations)
        users = UserTable(database)
        downloads = DownloadTable(database, items)
    }

    /// Opens the database of a folder, or begins it anew, as `DatabaseFile` does.
    /// Throws `busy` where another process has it.
    package static func open(folder: String) throws(StoreError) -> CatalogueFile {
        let lock = try CatalogueLock(folder: folder)
        let file = try DatabaseFile.open(name, in: folder) { (path) throws(StoreError) in
            try CatalogueFile(path: path)
        }
        file.lock = lock
        return file
    }

    /// Does all of it or nothing.
    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try database.transaction(body)
    }

    /// Removes a part of a source; true when all of it is gone.
    package func removePart(of source: Int64) throws(StoreError) -> Bool {
        var isDone = false
        try transaction { () throws(StoreError) in
            guard try items.remove(of: source, atMost: 500) == 0 else { return }
            try sources.remove(source)
            try locations.prune()
            isDone = true
        }
        return isDone
    }
}

/// The same database, to be read while it is written. Search thread.
package final class CatalogueReader {
    private let database: Database
    private let items: ItemReader

    init(folder: String) throws(StoreError) {
        database = try Database(reading: folder + "/" + CatalogueFile.name)
        try database.execute("PRAGMA cache_size = -4096; PRAGMA query_only = ON")
        try database.addFold()
        items = ItemReader(database, LocationTable(database))
    }

    /// An item; nil when there is none of that id.
    package func item(_ id: Int64) throws(StoreError) -> CatalogueItem? { try items.item(id) }

    /// Where items were left that are not at their start, of those given.
    package func positions(of ids: Set<Int64>) throws(StoreError) -> [Int64: Double] {
        var found: [Int64: Double] = [:]
        for id in ids {
            if let item = try items.item(id), item.goesOn, item.user.position > 0 {
                found[id] = item.user.position
            }
        }
        return found
    }

    /// How many items match, and those of the page.
    package func list(_ query: ItemQuery) throws(StoreError) -> (total: Int64, items: [CatalogueItem]) {
        let (total, ids) = try ids(query)
        return (total, try whole(ids))
    }

    /// How many items match; shows those of the page where they lie, with their places.
    package func list(_ query: ItemQuery, _ show: (ItemRow, [CatalogueLocation]) -> Void) throws(StoreError)
        -> Int64
    {
        try database.reading { () throws(StoreError) in
            let (total, ids) = try ids(query)
            for id in ids { _ = try items.row(id) { row, _, locations in show(row, locations) } }
            return total
        }
    }

    /// Shows an item where it lies, with all its contents and its places; false when there is none of that id.
    package func show(
        _ id: Int64, _ show: (ItemRow, [PublishedItem.Content], [CatalogueLocation]) -> Void
    ) throws(StoreError) -> Bool {
        try items.row(id) { row, contents, locations in show(row, [row.content] + contents, locations) }
    }

    private func ids(_ query: ItemQuery) throws(StoreError) -> (total: Int64, ids: [Int64]) {
        var ids: [Int64] = []
        var total: Int64 = 0
        let (sql, values) = query.statement
        let page = query.offset..<(query.offset + query.limit)
        try database.rows(sql, values) { (row) throws(StoreError) in
            if page.contains(total) { ids.append(row.integer(0)) }
            total += 1
        }
        return (total, ids)
    }

    private func whole(_ ids: [Int64]) throws(StoreError) -> [CatalogueItem] {
        var found: [CatalogueItem] = []
        for id in ids { if let item = try items.item(id) { found.append(item) } }
        return found
    }

    /// The newest items of a source that can be downloaded, the newest first, at most so many: what is listed, and what
    /// is here already.
    package func candidates(of source: Int64, atMost limit: Int64) throws(StoreError) -> [DownloadCandidate] {
        var found: [DownloadCandidate] = []
        try database.rows(
            "SELECT id, coalesce(date, added), heard, size, EXISTS (SELECT 1 FROM refused WHERE item = id) FROM items "
                + "WHERE source = ? AND kind <> ? AND url LIKE 'http%' "
                + "AND (listing = 0 OR listing = 1 AND id IN (SELECT item FROM downloads)) "
                + "ORDER BY 2 DESC, added DESC, id LIMIT ?",
            [.integer(source), .integer(PublishedItem.Kind.station.number), .integer(limit)]
        ) { (row) throws(StoreError) in
            found.append(
                DownloadCandidate(
                    id: row.integer(0), time: row.real(1), isHeard: row.integer(2) != 0,
                    size: row.optionalInteger(3), isRefused: row.integer(4) != 0))
        }
        return found
    }

    /// The newest items of a source that are listed, the newest first, at most so many.
    package func newest(of source: Int64, atMost limit: Int64) throws(StoreError) -> [CatalogueItem] {
        var ids: [Int64] = []
        try database.rows(
            "SELECT id FROM items WHERE source = ? AND listing = 0 "
                + "ORDER BY coalesce(date, added) DESC, added DESC, id LIMIT ?",
            [.integer(source), .integer(limit)]
        ) { ids.append($0.integer(0)) }
        return try whole(ids)
    }

    /// For each source the picture of its newest item that has one.
    package func newestPictures() throws(StoreError) -> [Int64: String] {
        var found: [Int64: String] = [:]
        // SQLite gives the other columns of the row that has the greatest.
        try database.rows(
            "SELECT source, picture, max(coalesce(date, added)) FROM items "
                + "WHERE picture IS NOT NULL AND listing = 0 GROUP BY source"
        ) { found[$0.integer(0)] = $0.text(1) }
        return found
    }

    /// How many items of each source are shown, and how many of them were not heard yet.
    package func counts() throws(StoreError) -> [Int64: (items: Int64, unheard: Int64)] {
        var found: [Int64: (items: Int64, unheard: Int64)] = [:]
        try database.rows(
            "SELECT source, count(*), sum(heard = 0) FROM items WHERE listing < 2 GROUP BY source"
        ) { (row) throws(StoreError) in
            found[row.integer(0)] = (row.integer(1), row.integer(2))
        }
        return found
    }
}
