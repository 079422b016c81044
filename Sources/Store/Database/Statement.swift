import CSQLite

/// A prepared statement; belongs to its database and that one's thread.
// Safe because the pointers are private, the statement is finalised once, and its database outlives it.
@safe package final class Statement {
    private let pointer: OpaquePointer
    private let database: OpaquePointer
    private let sql: String

    init(_ pointer: OpaquePointer, _ sql: String, of database: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        self.sql = sql
        unsafe self.database = unsafe database
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    // MARK: Running

    /// Runs it once with these values, whatever rows it would give.
    package func run(_ values: [SQLValue]) throws(StoreError) {
        defer { reset() }
        try give(values)
        while try step() {}
    }

    /// Gives the parameters their values, the first at 1.
    package func bind(_ values: [SQLValue]) throws(StoreError) {
        reset()
        try give(values)
    }

    /// Gives its one parameter an integer.
    package func bind(_ number: Int64) throws(StoreError) {
        unsafe sqlite3_reset(pointer)
        try bind(.integer(number), at: 1)
    }

    /// Goes to the next row; false when there is none.
    package func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Ends running, and forgets the values.
    package func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    // MARK: Columns of the row

    /// Null counts as 0.
    package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

    /// Null counts as 0.
    package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(pointer, column) }

    /// Nil for NULL.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Nil for NULL.
    package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    /// True for NULL.
    package func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
    }

    /// The text, repaired if it is not UTF-8; nil for NULL.
    package func text(_ column: Int32) -> String? {
        guard !isNull(column) else { return nil }
        return String(decoding: blob(column), as: UTF8.self)
    }

    /// The text in place, as it lies in the database; nil for NULL. It must not be kept.
    func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let bytes = unsafe sqlite3_column_blob(pointer, column) else {
            if isNull(column) { return body(nil) }
            return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        // Safe because the bytes live until the next step, and the call is over by then.
        return unsafe body(
            UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    /// The bytes; none for NULL.
    package func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(pointer, column))
        // Safe because the bytes live until the next step, and are copied here.
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The value, whatever its kind.
    package func value(_ column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    // MARK: Steps

    /// Gives values to a statement that has none: without one a parameter is null.
    private func give(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() where value != .null {
            try bind(value, at: Int32(index + 1))
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(pointer, index)
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
            case .real(let number): unsafe sqlite3_bind_double(pointer, index, number)
            case .text(let text): bind(text, at: index)
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe jb_bind_blob(pointer, index, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        if code != SQLITE_OK { throw failure(code) }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) {
                unsafe jb_bind_text(pointer, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
    }

    private func failure(_ code: Int32) -> StoreError {
        let message = unsafe String(cString: sqlite3_errmsg(database))
        return StoreError(code: code, message: message, operation: String(sql.prefix(80)))
    }
}
