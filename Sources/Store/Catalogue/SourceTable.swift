/// The sources, as rows. Catalogue thread; reading also elsewhere.
package final class SourceTable {
    private static let columns =
        "url, parent, kind, given_title, title, summary, author, picture, headers, place, etag, last_modified, "
        + "content_hash, last_attempt, last_success, next_refresh, failures, error_code, error_message, leads_here"

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// All of them, by id.
    package func all() throws(StoreError) -> [CatalogueSource] {
        var found: [CatalogueSource] = []
        try database.rows("SELECT id, \(Self.columns), rules FROM sources ORDER BY id") {
            (row) throws(StoreError) in
            found.append(Self.source(row))
        }
        return found
    }

    /// Adds one; returns its id. Throws a constraint's code where its URL is there already.
    package func add(_ source: CatalogueSource) throws(StoreError) -> Int64 {
        let marks = Array(repeating: "?", count: 20).joined(separator: ", ")
        try database.statement("INSERT INTO sources (\(Self.columns)) VALUES (\(marks))").run(
            Self.values(source))
        return database.lastID
    }

    /// Writes what is known of one.
    package func update(_ source: CatalogueSource) throws(StoreError) {
        let settings = Self.columns.split(separator: ", ").map { "\($0) = ?" }.joined(separator: ", ")
        try database.statement("UPDATE sources SET \(settings) WHERE id = ?").run(
            Self.values(source) + [.integer(source.id)])
    }

    /// Writes the rules of one; nil for none. Nothing else does, so that no refresh undoes it.
    package func setRules(_ id: Int64, _ rules: String?) throws(StoreError) {
        try database.run("UPDATE sources SET rules = ?2 WHERE id = ?1", .integer(id), .optional(rules))
    }

    /// True while there is one of that id.
    package func contains(_ id: Int64) throws(StoreError) -> Bool {
        try database.integer("SELECT count(*) FROM sources WHERE id = ?", .integer(id)) > 0
    }

    func remove(_ id: Int64) throws(StoreError) {
        try database.run("DELETE FROM sources WHERE id = ?", .integer(id))
    }

    private static func values(_ source: CatalogueSource) -> [SQLValue] {
        [
            .text(source.url), .optional(source.parent), .optional(source.kind?.rawValue),
            .optional(source.givenTitle), .optional(source.title), .optional(source.summary),
            .optional(source.author), .optional(source.picture), .optional(StringList.write(source.headers)),
            .optional(source.place), .optional(source.entityTag), .optional(source.lastModified),
            .optional(source.contentHash), .optional(source.lastAttempt), .optional(source.lastSuccess),
            .optional(source.nextRefresh), .integer(source.failures), .optional(source.failure?.code),
            .optional(source.failure?.message), .flag(source.mayLeadToThisMachine),
        ]
    }

    private static func source(_ row: Statement) -> CatalogueSource {
        var source = CatalogueSource(id: row.integer(0), url: row.text(1) ?? "")
        source.parent = row.optionalInteger(2)
        source.kind = row.text(3).flatMap { CatalogueSource.Kind(rawValue: $0) }
        source.givenTitle = row.text(4)
        source.title = row.text(5)
        source.summary = row.text(6)
        source.author = row.text(7)
        source.picture = row.text(8)
        source.headers = StringList.read(row.text(9))
        source.place = row.text(10)
        source.entityTag = row.text(11)
        source.lastModified = row.text(12)
        source.contentHash = row.optionalInteger(13)
        source.lastAttempt = row.optionalReal(14)
        source.lastSuccess = row.optionalReal(15)
        source.nextRefresh = row.optionalReal(16)
        source.failures = row.integer(17)
        if let code = row.text(18) { source.failure = .init(code: code, message: row.text(19) ?? "") }
        source.mayLeadToThisMachine = row.integer(20) != 0
        source.rules = row.text(21)
        return source
    }
}
