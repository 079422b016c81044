/// The database's versions: each step leads from the one before to the next, and is never changed again.
enum Schema {
    /// SQL of each step; the first makes version 1.
    static let steps = [
        """
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY, place INTEGER NOT NULL, url TEXT NOT NULL, title TEXT, given INTEGER NOT NULL,
            artist TEXT, album TEXT, duration REAL, source TEXT, store_id INTEGER,
            error_code TEXT, error_message TEXT, error_at REAL, headers TEXT, mirrors TEXT) STRICT;
        CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
        CREATE TABLE history (
            id INTEGER PRIMARY KEY, at REAL NOT NULL, title TEXT, artist TEXT, album TEXT, channel TEXT,
            url TEXT NOT NULL, live INTEGER NOT NULL, marked INTEGER NOT NULL) STRICT;
        CREATE TABLE alarms (id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;
        """,
        """
        CREATE TABLE loudness (
            key INTEGER PRIMARY KEY, lufs REAL NOT NULL, seconds REAL NOT NULL, at REAL NOT NULL) STRICT;
        """,
    ]

    /// The version that this program writes.
    static let version = Int64(steps.count)

    /// Brings a database up to date. Throws `future` for one that a later program wrote.
    static func migrate(_ database: Database) throws(StoreError) {
        let found = try database.integer("PRAGMA user_version")
        guard found <= version else {
            throw StoreError(
                code: StateFile.future, message: "version \(found) is of a later jukeboxd",
                operation: "migrate")
        }
        guard found < version else { return }
        try database.transaction { () throws(StoreError) in
            for step in steps[Int(max(0, found))...] { try database.execute(step) }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }
}
