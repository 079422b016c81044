/// Something that was heard, as it is kept.
package struct HeardRow: Equatable, Sendable {
    package let id: Int64
    /// Unix time at which it was heard first.
    package var at: Double
    package var title: String?
    package var artist: String?
    package var album: String?
    package var channel: String?
    /// Masked.
    package var url: String
    package var isLive: Bool
    package var isMarked = false

    package init(id: Int64, at: Double, url: String, isLive: Bool) {
        self.id = id
        self.at = at
        self.url = url
        self.isLive = isLive
    }
}

/// What was heard, newest last; what is not marked goes when there is too much. Store thread.
package final class HistoryTable {
    /// Rows that are kept besides the marked ones; and as many marked ones at most.
    package static let limit: Int64 = 10_000

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The row that was written last; nil without any.
    package func last() throws(StoreError) -> HeardRow? {
        try page(offset: 0, limit: 1, onlyMarked: false).1.first
    }

    /// Writes a row, new or known.
    package func put(_ row: HeardRow) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO history (id, at, title, artist, album, channel, url, live, marked) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .integer(row.id), .real(row.at), .optional(row.title), .optional(row.artist),
            .optional(row.album), .optional(row.channel), .text(row.url), .flag(row.isLive),
            .flag(row.isMarked))
        for isMarked: Int64 in [0, 1] {
            try database.run(
                "DELETE FROM history WHERE marked = ?1 AND id <= "
                    + "(SELECT id FROM history WHERE marked = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
                .integer(isMarked), .integer(Self.limit))
        }
    }

    /// Marks a row, or not any more; false when there is none of that id.
    package func mark(_ id: Int64, _ isMarked: Bool) throws(StoreError) -> Bool {
        try database.run(
            "UPDATE history SET marked = ? WHERE id = ?", .flag(isMarked), .integer(id))
        return try database.integer("SELECT count(*) FROM history WHERE id = ?", .integer(id)) > 0
    }

    /// Rows, newest first, and how many there are in all.
    package func page(offset: Int64, limit: Int64, onlyMarked: Bool) throws(StoreError) -> (Int64, [HeardRow])
    {
        let condition = onlyMarked ? "WHERE marked = 1" : ""
        let total = try database.integer("SELECT count(*) FROM history \(condition)")
        var found: [HeardRow] = []
        try database.rows(
            "SELECT id, at, title, artist, album, channel, url, live, marked FROM history \(condition) "
                + "ORDER BY id DESC LIMIT ? OFFSET ?", [.integer(limit), .integer(offset)]
        ) { row in
            var heard = HeardRow(
                id: row.integer(0), at: row.real(1), url: row.text(6) ?? "", isLive: row.integer(7) != 0)
            heard.title = row.text(2)
            heard.artist = row.text(3)
            heard.album = row.text(4)
            heard.channel = row.text(5)
            heard.isMarked = row.integer(8) != 0
            found.append(heard)
        }
        return (total, found)
    }
}
