/// What must survive: the open database and its tables. Store thread.
package final class StateFile {
    package let database: Database
    package let queue: QueueTable
    package let settings: SettingsTable
    package let history: HistoryTable
    package let alarms: AlarmTable
    package let loudness: LoudnessTable

    /// The file's name in the state folder.
    package static let name = "state.db"

    private init(path: String) throws(StoreError) {
        // Alone, so that two daemons cannot give out the same ids.
        database = try DatabaseFile.database(
            path, settings: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -512", steps: Schema.steps)
        queue = QueueTable(database)
        settings = SettingsTable(database)
        history = HistoryTable(database)
        alarms = AlarmTable(database)
        loudness = LoudnessTable(database)
        // Reading all of it is the proof that it can be read.
        try queue.load()
        try settings.load()
    }

    /// Opens the database of a folder, or begins it anew, as `DatabaseFile` does.
    package static func open(folder: String) throws(StoreError) -> StateFile {
        try DatabaseFile.open(name, in: folder) { (path) throws(StoreError) in try StateFile(path: path) }
    }
}
