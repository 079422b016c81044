/// Brings a database to the version that this program writes, step by step.
enum Migration {
    /// Runs the steps that a database lacks; their number is its version. Throws `future` for one that a later program
    /// wrote.
    static func run(_ steps: [String], on database: Database) throws(StoreError) {
        let version = Int64(steps.count)
        let found = try database.integer("PRAGMA user_version")
        guard found <= version else {
            throw StoreError(
                code: DatabaseFile.future, message: "version \(found) is of a later jukeboxd",
                operation: "migrate")
        }
        guard found < version else { return }
        try database.transaction { () throws(StoreError) in
            for step in steps[Int(max(0, found))...] { try database.execute(step) }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }
}
