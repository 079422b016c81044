/// What people did with items. Catalogue thread.
package final class UserTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Changes an item's marks; false when there is none of that id.
    package func change(_ id: Int64, _ change: (inout UserMarks) -> Void) throws(StoreError) -> Bool {
        let row = try database.statement(
            "SELECT heard, position, rating, play_count, last_heard FROM items WHERE id = ?")
        try row.bind([.integer(id)])
        guard try row.step() else {
            row.reset()
            return false
        }
        var marks = UserMarks()
        marks.isHeard = row.integer(0) != 0
        marks.position = row.real(1)
        marks.rating = row.optionalInteger(2)
        marks.playCount = row.integer(3)
        marks.lastHeard = row.optionalReal(4)
        row.reset()
        let before = marks
        change(&marks)
        guard marks != before else { return true }
        try database.run(
            "UPDATE items SET heard = ?2, position = ?3, rating = ?4, play_count = ?5, last_heard = ?6 WHERE id = ?1",
            .integer(id), .flag(marks.isHeard), marks.position > 0 ? .real(marks.position) : .null,
            .optional(marks.rating), .integer(marks.playCount), .optional(marks.lastHeard))
        return true
    }
}
