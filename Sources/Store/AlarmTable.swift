/// Alarms as their owner writes them, by id. Store thread.
package final class AlarmTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// All of them, by id.
    package func all() throws(StoreError) -> [(id: Int64, value: String)] {
        var found: [(Int64, String)] = []
        try database.rows("SELECT id, value FROM alarms ORDER BY id") { row in
            found.append((row.integer(0), row.text(1) ?? ""))
        }
        return found
    }

    /// Writes one; nil removes it.
    package func set(_ id: Int64, _ value: String?) throws(StoreError) {
        guard let value else {
            return try database.run("DELETE FROM alarms WHERE id = ?", .integer(id))
        }
        try database.run(
            "INSERT OR REPLACE INTO alarms (id, value) VALUES (?, ?)", .integer(id), .text(value))
    }
}
