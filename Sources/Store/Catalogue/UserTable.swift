/// What people did with items. Catalogue thread.
package final class UserTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Changes an item's marks; false when there is none of that id.
    package func change(_ id: Int64, _ change: (inout UserMarks) -> Void) throws(StoreError) -> Bool {
        var kept: UserMarks?
        try database.rows("SELECT \(UserMarks.columns) FROM items WHERE id = ?", [.integer(id)]) { row in
            kept = UserMarks(row, from: 0)
        }
        guard let before = kept else { return false }
        var marks = before
        change(&marks)
        guard marks != before else { return true }
        try database.run(
            "UPDATE items SET heard = ?2, position = ?3, rating = ?4, play_count = ?5, last_heard = ?6 WHERE id = ?1",
            .integer(id), .flag(marks.isHeard), marks.position > 0 ? .real(marks.position) : .null,
            .optional(marks.rating), .integer(marks.playCount), .optional(marks.lastHeard))
        return true
    }
}

extension UserMarks {
    /// Where they are kept.
    static let columns = "heard, position, rating, play_count, last_heard"

    /// Those of a row that has the columns from that one on.
    init(_ row: Statement, from column: Int32) {
        isHeard = row.integer(column) != 0
        position = row.real(column + 1)
        rating = row.optionalInteger(column + 2)
        playCount = row.integer(column + 3)
        lastHeard = row.optionalReal(column + 4)
    }
}
