/// What was asked to be here, as rows. Catalogue thread.
package final class DownloadTable {
    private let database: Database
    private let items: ItemTable

    init(_ database: Database, _ items: ItemTable) {
        self.database = database
        self.items = items
    }

    /// All of them, in the order in which they were asked for; those whose item is gone are not.
    package func all() throws(StoreError) -> [CatalogueDownload] {
        var found: [CatalogueDownload] = []
        try database.rows(
            "SELECT item, state, downloads.url, received, expected, error_code, error_message, attempts, "
                + "downloads.added, finished, by_rule FROM downloads JOIN items ON items.id = item ORDER BY downloads.added, item"
        ) { (row) throws(StoreError) in
            var download = CatalogueDownload(
                item: row.integer(0), url: row.text(2) ?? "",
                state: .init(rawValue: row.integer(1)) ?? .queued,
                added: row.real(8))
            download.received = row.integer(3)
            download.expected = row.optionalInteger(4)
            if let code = row.text(5) { download.failure = .init(code: code, message: row.text(6) ?? "") }
            download.attempts = row.integer(7)
            download.finished = row.optionalReal(9)
            download.isByRule = row.integer(10) != 0
            found.append(download)
        }
        return found
    }

    /// Writes one, and whether its item can be played without a network.
    package func put(_ download: CatalogueDownload) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO downloads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .integer(download.item),
            .integer(download.state.rawValue), .text(download.url), .integer(download.received),
            .optional(download.expected), .optional(download.failure?.code),
            .optional(download.failure?.message),
            .integer(download.attempts), .real(download.added), .optional(download.finished),
            .flag(download.isByRule))
        try items.setAvailable(download.item, download.state == .finished)
    }

    /// Forgets one.
    package func remove(_ item: Int64) throws(StoreError) {
        try database.run("DELETE FROM downloads WHERE item = ?", .integer(item))
        try items.setAvailable(item, false)
    }

    /// Notes whether rules may fetch an item: what people do not want any more they may not.
    package func refuse(_ item: Int64, _ isRefused: Bool) throws(StoreError) {
        let change =
            isRefused ? "INSERT OR IGNORE INTO refused VALUES (?)" : "DELETE FROM refused WHERE item = ?"
        try database.run(change, .integer(item))
    }
}
