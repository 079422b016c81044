/// How loud something was when it was heard.
package struct LoudnessRow: Equatable, Sendable {
    /// Stands for a URL.
    package let key: Int64
    package let lufs: Double
    /// How much of it was measured.
    package let seconds: Double
    /// Unix time at which it was.
    package let at: Double

    package init(key: Int64, lufs: Double, seconds: Double, at: Double) {
        self.key = key
        self.lufs = lufs
        self.seconds = seconds
        self.at = at
    }
}

/// What was measured of how loud items and stations are; the oldest goes when there is too much. Store thread.
package final class LoudnessTable {
    /// Rows that are kept.
    package static let limit: Int64 = 20_000

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// All of them.
    package func all() throws(StoreError) -> [LoudnessRow] {
        var found: [LoudnessRow] = []
        try database.rows("SELECT key, lufs, seconds, at FROM loudness") { row in
            found.append(
                LoudnessRow(key: row.integer(0), lufs: row.real(1), seconds: row.real(2), at: row.real(3)))
        }
        return found
    }

    /// Writes one, in place of an older one.
    package func put(_ row: LoudnessRow) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO loudness (key, lufs, seconds, at) VALUES (?, ?, ?, ?)", .integer(row.key),
            .real(row.lufs), .real(row.seconds), .real(row.at))
        guard try database.integer("SELECT count(*) FROM loudness") > Self.limit else { return }
        try database.run(
            "DELETE FROM loudness WHERE at <= (SELECT at FROM loudness ORDER BY at DESC LIMIT 1 OFFSET ?)",
            .integer(Self.limit))
    }
}
