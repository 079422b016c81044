/// The queue's entries in the database: each change writes the rows that differ. Store thread.
///
/// A row's place orders it. Places lie far apart, so that what is inserted finds room between its neighbours;
/// where there is none left all get new ones.
package final class QueueTable {
    static let gap: Int64 = 1 << 20

    private let database: Database
    private var ids: [Int64] = []
    private var places: [Int64] = []
    /// What was read when the database was opened; taken by who restores it.
    private var loaded: [SavedEntry] = []

    init(_ database: Database) { self.database = database }

    // MARK: Reading

    func load() throws(StoreError) {
        let rows = try database.statement("SELECT \(Self.columns) FROM entries ORDER BY place, id")
        defer { rows.reset() }
        (ids, places, loaded) = ([], [], [])
        while try rows.step() {
            let entry = Self.entry(rows)
            ids.append(entry.id)
            places.append(rows.integer(1))
            loaded.append(entry)
        }
    }

    /// Takes the entries as they were when the database was opened, in order.
    package func takeLoaded() -> [SavedEntry] {
        defer { loaded = [] }
        return loaded
    }

    // MARK: Changing

    /// Inserts entries so that the first gets that index.
    package func insert(_ entries: [SavedEntry], at index: Int) throws(StoreError) {
        guard !entries.isEmpty else { return }
        let index = max(0, min(index, ids.count))
        let new = try room(for: entries.count, at: index)
        let statement = try database.statement(Self.insertion)
        for (entry, place) in zip(entries, new) { try statement.run(Self.values(entry, place)) }
        ids.insert(contentsOf: entries.map(\.id), at: index)
        places.insert(contentsOf: new, at: index)
    }

    /// Removes entries.
    package func remove(_ gone: [Int64]) throws(StoreError) {
        let statement = try database.statement("DELETE FROM entries WHERE id = ?")
        for id in gone { try statement.run([.integer(id)]) }
        drop(Set(gone))
    }

    /// Takes entries out and puts them in again so that the first gets that index.
    package func move(_ moved: [Int64], to index: Int) throws(StoreError) {
        drop(Set(moved))
        let index = max(0, min(index, ids.count))
        let new = try room(for: moved.count, at: index)
        try setPlaces(moved, new)
        ids.insert(contentsOf: moved, at: index)
        places.insert(contentsOf: new, at: index)
    }

    /// Gives all entries a new order.
    package func reorder(_ order: [Int64]) throws(StoreError) {
        ids = order
        try renumber()
    }

    /// Writes an entry anew, in its place.
    package func update(_ entry: SavedEntry) throws(StoreError) {
        guard let index = ids.firstIndex(of: entry.id) else { return }
        try database.statement(Self.insertion).run(Self.values(entry, places[index]))
    }

    /// Removes all.
    package func clear() throws(StoreError) {
        try database.execute("DELETE FROM entries")
        (ids, places) = ([], [])
    }

    // MARK: Places

    private func drop(_ gone: Set<Int64>) {
        var kept = 0
        for index in ids.indices where !gone.contains(ids[index]) {
            ids[kept] = ids[index]
            places[kept] = places[index]
            kept += 1
        }
        ids.removeLast(ids.count - kept)
        places.removeLast(places.count - kept)
    }

    /// Places between the neighbours at an index.
    private func room(for count: Int, at index: Int) throws(StoreError) -> [Int64] {
        if index == places.count {
            let last = places.last ?? 0
            return (1...max(1, count)).map { last + Int64($0) * Self.gap }
        }
        var (before, after) = neighbours(at: index)
        if after - before <= Int64(count) {
            try renumber(from: index, leaving: Int64(count + 1))
            (before, after) = neighbours(at: index)
        }
        let step = (after - before) / Int64(count + 1)
        return (1...max(1, count)).map { before + Int64($0) * step }
    }

    private func neighbours(at index: Int) -> (Int64, Int64) {
        let after = places[index]
        return (index == 0 ? after - Self.gap * 1_024 : places[index - 1], after)
    }

    /// New places for all; `leaving` more than a gap's room before that index.
    private func renumber(from index: Int = .max, leaving room: Int64 = 0) throws(StoreError) {
        places = ids.indices.map { place in
            Int64(place + 1) * Self.gap + (place >= index ? room * Self.gap : 0)
        }
        try setPlaces(ids, places)
    }

    private func setPlaces(_ ids: [Int64], _ places: [Int64]) throws(StoreError) {
        let statement = try database.statement("UPDATE entries SET place = ? WHERE id = ?")
        for (id, place) in zip(ids, places) { try statement.run([.integer(place), .integer(id)]) }
    }

    // MARK: Rows

    private static let columns =
        "id, place, url, title, given, artist, album, duration, source, store_id, error_code, error_message, "
        + "error_at, headers, mirrors"
    private static let insertion =
        "INSERT OR REPLACE INTO entries (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    private static func values(_ entry: SavedEntry, _ place: Int64) -> [SQLValue] {
        [
            .integer(entry.id), .integer(place), .text(entry.url), .optional(entry.title),
            .integer((entry.isTitleGiven ? 1 : 0) | (entry.isBound ? 2 : 0)), .optional(entry.artist),
            .optional(entry.album),
            .optional(entry.duration), .optional(entry.source), .optional(entry.storeID),
            .optional(entry.errorCode), .optional(entry.errorMessage), .optional(entry.errorAt),
            .optional(StringList.write(entry.headers)), .optional(StringList.write(entry.mirrors)),
        ]
    }

    private static func entry(_ row: Statement) -> SavedEntry {
        var entry = SavedEntry(id: row.integer(0), url: row.text(2) ?? "")
        entry.title = row.text(3)
        // Bits of flags: the title was given; it is bound to what the internet may name.
        entry.isTitleGiven = row.integer(4) & 1 != 0
        entry.isBound = row.integer(4) & 2 != 0
        entry.artist = row.text(5)
        entry.album = row.text(6)
        if !row.isNull(7) { entry.duration = row.real(7) }
        entry.source = row.text(8)
        if !row.isNull(9) { entry.storeID = row.integer(9) }
        entry.errorCode = row.text(10)
        entry.errorMessage = row.text(11)
        if !row.isNull(12) { entry.errorAt = row.real(12) }
        entry.headers = StringList.read(row.text(13))
        entry.mirrors = StringList.read(row.text(14))
        return entry
    }
}
