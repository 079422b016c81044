import CSQLite

/// What the database, or the system below it, says when something does not work.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    /// SQLite's result code, extended.
    package let code: Int32
    /// SQLite's text.
    package let message: String
    /// What was to be done.
    package let operation: String

    package init(code: Int32, message: String, operation: String) {
        self.code = code
        self.message = message
        self.operation = operation
    }

    /// True when the file itself is not, or not any more, a database.
    package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }

    package var description: String { "\(operation): \(message)" }
}
