/// The versions of the catalogue's database; as `Schema`, each step is never changed again.
enum CatalogueSchema {
    /// SQL of each step; the first makes version 1.
    ///
    /// What is looked at for each row at a refresh stands before what is long: SQLite reads a row only as far as it
    /// must. `texts` holds the folded text of what is shown, and `search` its trigrams without their places: they
    /// name candidates, which are compared then.
    static let steps = [
        """
        CREATE TABLE sources (
            id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, parent INTEGER REFERENCES sources (id),
            kind TEXT, given_title TEXT, title TEXT, summary TEXT, author TEXT, picture TEXT, headers TEXT,
            place TEXT, leads_here INTEGER NOT NULL DEFAULT 0, etag TEXT, last_modified TEXT, content_hash INTEGER,
            last_attempt REAL, last_success REAL, failures INTEGER NOT NULL DEFAULT 0, next_refresh REAL,
            error_code TEXT, error_message TEXT, rules TEXT) STRICT;
        CREATE UNIQUE INDEX sources_by_url ON sources (url);
        CREATE INDEX sources_by_parent ON sources (parent);
        CREATE TABLE items (
            id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES sources (id),
            listing INTEGER NOT NULL, kind INTEGER NOT NULL,
            guid_hash INTEGER, media_hash INTEGER NOT NULL, place_hash INTEGER NOT NULL, name_hash INTEGER NOT NULL,
            title_hash INTEGER NOT NULL, content_hash INTEGER NOT NULL, file_time INTEGER, file_size INTEGER,
            date REAL, duration REAL, number INTEGER, size INTEGER, added REAL NOT NULL,
            heard INTEGER NOT NULL DEFAULT 0, position REAL, rating INTEGER, play_count INTEGER NOT NULL DEFAULT 0,
            last_heard REAL, available INTEGER NOT NULL DEFAULT 0,
            contents INTEGER NOT NULL, places INTEGER NOT NULL, title_key TEXT NOT NULL,
            title TEXT, creators TEXT, album TEXT, url TEXT NOT NULL, media_type TEXT, picture TEXT, tags TEXT,
            guid TEXT, summary TEXT) STRICT;
        CREATE INDEX items_by_source ON items (source);
        CREATE INDEX items_by_title ON items (title_key) WHERE listing < 2;
        CREATE INDEX items_by_date ON items (date) WHERE listing < 2;
        CREATE TABLE contents (
            item INTEGER NOT NULL, place INTEGER NOT NULL, url TEXT NOT NULL, media_type TEXT, size INTEGER,
            PRIMARY KEY (item, place)) STRICT, WITHOUT ROWID;
        CREATE TABLE locations (
            id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL, given INTEGER NOT NULL,
            latitude REAL, longitude REAL, state INTEGER NOT NULL, asked_at REAL) STRICT;
        CREATE INDEX locations_by_address ON locations (address);
        CREATE TABLE item_locations (
            item INTEGER NOT NULL, place INTEGER NOT NULL, location INTEGER NOT NULL REFERENCES locations (id),
            PRIMARY KEY (item, place)) STRICT, WITHOUT ROWID;
        CREATE INDEX item_locations_by_location ON item_locations (location);
        CREATE TABLE texts (id INTEGER PRIMARY KEY, folded TEXT NOT NULL) STRICT;
        CREATE VIRTUAL TABLE search USING fts5 (
            folded, content = 'texts', content_rowid = 'id', tokenize = 'trigram case_sensitive 1',
            detail = none, columnsize = 0);
        """,
        """
        CREATE TABLE downloads (
            item INTEGER PRIMARY KEY, state INTEGER NOT NULL, url TEXT NOT NULL, received INTEGER NOT NULL,
            expected INTEGER, error_code TEXT, error_message TEXT, attempts INTEGER NOT NULL, added REAL NOT NULL,
            finished REAL) STRICT;
        """,
        """
        ALTER TABLE downloads ADD COLUMN by_rule INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE refused (item INTEGER PRIMARY KEY) STRICT;
        """,
        """
        CREATE INDEX items_by_hearing ON items (last_heard) WHERE last_heard IS NOT NULL;
        """,
    ]
}
