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
}
