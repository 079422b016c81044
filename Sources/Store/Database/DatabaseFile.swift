import Base
import Glibc

/// Databases as files of a folder: made where missing, set aside where of no use.
enum DatabaseFile {
    /// The code of an error that says: a later program wrote this.
    static let future: Int32 = -1

    /// A database that is written, at the version that the steps make; `settings` are SQL that comes before all else.
    /// What a process handed over survives its end; a power cut may take the last moment, never more.
    static func database(_ path: String, settings: String, steps: [String]) throws(StoreError) -> Database {
        let database = try Database(path: path)
        try database.execute(
            settings
                + "; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; "
                + "PRAGMA journal_size_limit = 4194304")
        try Migration.run(steps, on: database)
        return database
    }

    /// Opens a database of a folder, which is made where it is missing; one that is damaged, or that a later program
    /// wrote, is set aside and begun anew, with a warning. Throws what else is wrong with it.
    static func open<Opened>(
        _ name: String, in folder: String, _ open: (_ path: String) throws(StoreError) -> Opened
    ) throws(StoreError) -> Opened {
        _ = try? System.makeFolders(folder)
        let path = folder + "/" + name
        do throws(StoreError) {
            return try open(path)
        } catch  where error.isDamage || error.code == future {
            let suffix = error.code == future ? "future" : "damaged"
            setAside(path, as: suffix)
            Log.warning("store", "\(path) was set aside (\(suffix)) and begun anew: \(error)")
            return try open(path)
        }
    }

    /// Renames a database and its journals, so that a person can look at them.
    private static func setAside(_ path: String, as suffix: String) {
        let stamp = Int64(Clocks.unixTime)
        for ending in ["", "-wal", "-shm"] {
            _ = unsafe rename(path + ending, "\(path).\(suffix)-\(stamp)\(ending)")
        }
    }
}
