import CSQLite
import Glibc

/// A connection to an SQLite database; used by one thread at a time.
// Safe because the handle is private, closed once in deinit, and outlived by none of its statements.
@safe package final class Database {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens or creates a database that only its owner may read. Throws what SQLite says.
    package convenience init(path: String) throws(StoreError) {
        // SQLite gives its journal files the mode of the database file.
        let fd = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if fd >= 0 { close(fd) }
        try self.init(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Opens a database that another connection writes, to read from it only. Throws what SQLite says.
    package convenience init(reading path: String) throws(StoreError) {
        try self.init(path, SQLITE_OPEN_READONLY)
    }

    private init(_ path: String, _ flags: Int32) throws(StoreError) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe opened else {
            throw StoreError(code: code, message: "out of memory", operation: "open \(path)")
        }
        unsafe self.handle = unsafe handle
        if code != SQLITE_OK { throw error(code, "open \(path)") }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, 2_000)
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// Makes `fold(TEXT)` known to SQL: the text as search compares it, NULL for NULL. Throws what SQLite says.
    package func addFold() throws(StoreError) {
        let code = unsafe jb_add_function(handle, "fold", fold)
        if code != SQLITE_OK { throw error(code, "add a function") }
    }

    /// Runs statements that give no rows.
    package func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, sql) }
    }

    /// A prepared statement, kept for the next time; reset and without values.
    package func statement(_ sql: String) throws(StoreError) -> Statement {
        if let known = statements[sql] {
            known.reset()
            return known
        }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let pointer = unsafe prepared else { throw error(code, sql) }
        let statement = unsafe Statement(pointer, sql, of: handle)
        statements[sql] = statement
        return statement
    }

    /// Runs a statement once with these values.
    package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) {
        try statement(sql).run(values)
    }

    /// Runs a statement and reads each of its rows.
    package func rows(
        _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { try read(statement) }
    }

    /// The id of the row that was inserted last.
    package var lastID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Does all of it or nothing.
    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try execute("COMMIT")
        } catch {
            // After some failures SQLite has rolled back by itself; then this one says so, and is right.
            _ = try? execute("ROLLBACK")
            throw error
        }
    }

    /// Reads several times from one and the same state of the file, which is locked once.
    package func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute("BEGIN")
        do throws(StoreError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            _ = try? execute("ROLLBACK")
            throw error
        }
    }

    /// The first value of the first row as an integer; 0 without one.
    package func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64 {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private func error(_ code: Int32, _ operation: String) -> StoreError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return StoreError(code: code, message: message, operation: String(operation.prefix(80)))
    }
}

// Safe because SQLite gives one value with as many bytes as it says, and takes a copy of the result.
private func fold(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let value = unsafe values?.pointee, let bytes = unsafe sqlite3_value_text(value) else { return }
    let length = unsafe Int(sqlite3_value_bytes(value))
    let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
    var folded = FoldedText.folded(text)
    folded.withUTF8 { utf8 in
        unsafe utf8.withMemoryRebound(to: CChar.self) {
            unsafe jb_result_text(context, $0.baseAddress, Int32(clamping: $0.count))
        }
    }
}
