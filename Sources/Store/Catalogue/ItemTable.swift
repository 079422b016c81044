import Base

/// A file of a local folder, as the system tells of it.
package struct FileStamp: Equatable, Hashable, Sendable {
    /// Nanoseconds since 1970 of its last change.
    package let time: Int64
    /// In bytes.
    package let size: Int64

    package init(time: Int64, size: Int64) {
        self.time = time
        self.size = size
    }
}

/// The items, as rows: what publishers tell of them. Catalogue thread.
package final class ItemTable {
    private let database: Database
    private let texts: TextTable
    private let locations: LocationTable

    init(_ database: Database, _ texts: TextTable, _ locations: LocationTable) {
        self.database = database
        self.texts = texts
        self.locations = locations
    }

    // MARK: What is known

    /// The items of a source, as far as a document's are compared with them.
    package func known(of source: Int64) throws(StoreError) -> [KnownItem] {
        var found: [KnownItem] = []
        try database.rows(
            "SELECT id, listing, guid_hash, media_hash, place_hash, name_hash, title_hash, date, content_hash "
                + "FROM items WHERE source = ? ORDER BY id", [.integer(source)]
        ) { (row) throws(StoreError) in
            let keys = ItemKeys(
                guid: row.optionalInteger(2), media: row.integer(3), place: row.integer(4),
                name: row.integer(5),
                title: row.integer(6), date: row.optionalReal(7))
            found.append(
                KnownItem(
                    id: row.integer(0), listing: .init(rawValue: row.integer(1)) ?? .listed, keys: keys,
                    contentHash: row.integer(8)))
        }
        return found
    }

    /// The files of a local folder, by path.
    package func files(of source: Int64) throws(StoreError) -> [String: KnownFile] {
        var found: [String: KnownFile] = [:]
        try database.rows(
            "SELECT id, listing, file_time, file_size, url FROM items WHERE source = ?", [.integer(source)]
        ) { (row) throws(StoreError) in
            found[row.text(4) ?? ""] = KnownFile(
                id: row.integer(0), isGone: row.integer(1) == CatalogueItem.Listing.gone.rawValue,
                stamp: FileStamp(time: row.integer(2), size: row.integer(3)))
        }
        return found
    }

    // MARK: Writing

    /// Adds an item; returns its id.
    package func insert(_ item: ItemToKeep, source: Int64, at time: Double) throws(StoreError) -> Int64 {
        try database.statement(Self.insertion).run(
            item.values + [.integer(source), .real(time), .flag(item.stamp != nil)])
        let id = database.lastID
        try texts.insert(id, item.folded)
        if item.published.contents.count > 1 { try addContents(item, to: id) }
        if !item.published.places.isEmpty { try locations.set(item.published.places, of: id, had: false) }
        return id
    }

    /// Writes an item anew, but for what its users did with it.
    package func update(_ id: Int64, _ item: ItemToKeep) throws(StoreError) {
        try database.statement(Self.change).run(item.values + [.integer(id)])
        try texts.update(id, item.folded)
        try database.run("DELETE FROM contents WHERE item = ?", .integer(id))
        if item.published.contents.count > 1 { try addContents(item, to: id) }
        try locations.set(item.published.places, of: id, had: true)
        if item.stamp != nil { try setAvailable(id, true) }
    }

    /// Notes that a source does not have an item any more.
    package func set(_ id: Int64, _ listing: CatalogueItem.Listing) throws(StoreError) {
        try database.run(
            "UPDATE items SET listing = ? WHERE id = ?", .integer(listing.rawValue), .integer(id))
        guard listing == .gone else { return }
        try texts.remove(id)
        try setAvailable(id, false)
    }

    /// Items on servers that were heard, or are now, and were not downloaded: a cache may have all of them.
    package func heardElsewhere(besides current: Int64?) throws(StoreError) -> [RemoteItem] {
        var found: [RemoteItem] = []
        let condition =
            "url LIKE 'http%' AND kind <> ?2 AND id NOT IN (SELECT item FROM downloads WHERE state = ?3)"
        try database.rows(
            "SELECT id, url, available FROM items WHERE last_heard IS NOT NULL AND \(condition) "
                + "UNION SELECT id, url, available FROM items WHERE id = ?1 AND \(condition)",
            [
                .optional(current), .integer(PublishedItem.Kind.station.number),
                .integer(CatalogueDownload.State.finished.rawValue),
            ]
        ) { row in
            found.append(
                RemoteItem(id: row.integer(0), url: row.text(1) ?? "", isAvailable: row.integer(2) != 0))
        }
        return found
    }

    /// Notes whether an item can be played without a network.
    package func setAvailable(_ id: Int64, _ isAvailable: Bool) throws(StoreError) {
        try database.run(
            "UPDATE items SET available = ?2 WHERE id = ?1 AND available <> ?2", .integer(id),
            .flag(isAvailable))
    }

    /// Removes items of a source, at most so many; returns how many it were.
    func remove(of source: Int64, atMost limit: Int64) throws(StoreError) -> Int {
        var ids: [Int64] = []
        try database.rows(
            "SELECT id FROM items WHERE source = ? LIMIT ?", [.integer(source), .integer(limit)]
        ) {
            ids.append($0.integer(0))
        }
        for id in ids {
            try texts.remove(id)
            try database.run("DELETE FROM contents WHERE item = ?", .integer(id))
            try database.run("DELETE FROM item_locations WHERE item = ?", .integer(id))
            try database.run("DELETE FROM refused WHERE item = ?", .integer(id))
            try database.run("DELETE FROM items WHERE id = ?", .integer(id))
        }
        return ids.count
    }

    private func addContents(_ item: ItemToKeep, to id: Int64) throws(StoreError) {
        for (index, content) in item.published.contents.enumerated().dropFirst() {
            try database.run(
                "INSERT INTO contents (item, place, url, media_type, size) VALUES (?, ?, ?, ?, ?)",
                .integer(id),
                .integer(Int64(index)), .text(content.url), .optional(content.mediaType),
                .optional(content.size))
        }
    }

    private static let insertion =
        "INSERT INTO items (\(ItemToKeep.columns.joined(separator: ", ")), source, added, available) VALUES ("
        + Array(repeating: "?", count: ItemToKeep.columns.count + 3).joined(separator: ", ") + ")"

    private static let change =
        "UPDATE items SET " + ItemToKeep.columns.map { "\($0) = ?" }.joined(separator: ", ") + " WHERE id = ?"
}

/// An item that was heard, with what tells whether it is here.
package struct RemoteItem: Equatable, Sendable {
    package let id: Int64
    package let url: String
    package let isAvailable: Bool
}

/// A file that the catalogue has already.
package struct KnownFile: Equatable, Sendable {
    package let id: Int64
    package let isGone: Bool
    package let stamp: FileStamp
}
