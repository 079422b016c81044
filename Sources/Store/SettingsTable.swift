/// Single values by name; only what differs is written. Store thread.
package final class SettingsTable {
    private let database: Database
    package private(set) var values: [String: SQLValue] = [:]

    init(_ database: Database) { self.database = database }

    func load() throws(StoreError) {
        let rows = try database.statement("SELECT name, value FROM settings")
        defer { rows.reset() }
        values = [:]
        while try rows.step() { values[rows.text(0) ?? ""] = rows.value(1) }
    }

    /// Sets a value.
    package func set(_ name: String, _ value: SQLValue) throws(StoreError) {
        guard values[name] != value else { return }
        try database.run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", .text(name), value)
        values[name] = value
    }

    package func integer(_ name: String) -> Int64? {
        if case .integer(let number)? = values[name] { number } else { nil }
    }

    package func real(_ name: String) -> Double? {
        switch values[name] {
        case .real(let number)?: number
        case .integer(let number)?: Double(number)
        default: nil
        }
    }

    package func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { text } else { nil }
    }

    package func blob(_ name: String) -> [UInt8]? {
        if case .blob(let bytes)? = values[name] { bytes } else { nil }
    }
}
