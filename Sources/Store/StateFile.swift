import Base
import Glibc

/// What must survive: the open database and its tables. Store thread.
package final class StateFile {
    package let database: Database
    package let queue: QueueTable
    package let settings: SettingsTable
    package let history: HistoryTable
    package let alarms: AlarmTable
    package let loudness: LoudnessTable

    /// The code of an error that says: a later program wrote this.
    static let future: Int32 = -1
    /// The file's name in the state folder.
    package static let name = "state.db"

    private init(path: String) throws(StoreError) {
        database = try Database(path: path)
        // Alone, so that two daemons cannot give out the same ids. What a process handed over survives its end; a power cut may take the last moment, never more.
        try database.execute(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512; "
                + "PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 4194304")
        try Schema.migrate(database)
        queue = QueueTable(database)
        settings = SettingsTable(database)
        history = HistoryTable(database)
        alarms = AlarmTable(database)
        loudness = LoudnessTable(database)
        // Reading all of it is the proof that it can be read.
        try queue.load()
        try settings.load()
    }

    /// Opens the database of a folder, which is made where it is missing; one that is damaged, or that a later
    /// program wrote, is set aside and begun anew, with a warning. Throws what else is wrong with it.
    package static func open(folder: String) throws(StoreError) -> StateFile {
        makeFolder(folder)
        let path = folder + "/" + name
        do throws(StoreError) {
            return try StateFile(path: path)
        } catch  where error.isDamage || error.code == future {
            let suffix = error.code == future ? "future" : "damaged"
            setAside(path, as: suffix)
            Log.warning("store", "\(path) was set aside (\(suffix)) and begun anew: \(error)")
            return try StateFile(path: path)
        }
    }

    /// Renames a database and its journals, so that a person can look at them.
    private static func setAside(_ path: String, as suffix: String) {
        let stamp = Int64(Clocks.unixTime)
        for ending in ["", "-wal", "-shm"] {
            _ = unsafe rename(path + ending, "\(path).\(suffix)-\(stamp)\(ending)")
        }
    }

    private static func makeFolder(_ folder: String) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            _ = unsafe mkdir(path, 0o700)
        }
    }
}
