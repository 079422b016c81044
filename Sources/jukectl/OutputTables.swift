import Base
import Terminal

/// Outputs and sound devices as tables.
enum OutputTables {
    /// The outputs by their properties, in the order of their names: name, kind, how it stands, what is wrong.
    static func outputs(_ values: JSONValue?) -> Table {
        var table = Table(columns: [.init(), .init(rank: 1), .init(), .init(isFlexible: true)])
        table.rows = names(in: values).map { name in
            let value = { (field: String) in values?["outputs.\(name).\(field)"] }
            let error = PlainText.line(value("error"))
            let underruns = value("underruns")?.number ?? 0
            let note = underruns > 0 ? "\(ValueText.write(value("underruns") ?? .null)) underruns" : nil
            let isOn = value("enabled") == .bool(true)
            let status = isOn ? (value("open") == .bool(true) ? "open" : "idle") : "off"
            return [
                .init(name, .bold), .init(PlainText.line(value("kind")), .faint),
                .init(status, status == "open" ? .good : .faint),
                .init(error ?? note, error == nil ? .faint : .bad),
            ]
        }
        return table
    }

    /// Devices: name, description.
    static func devices(_ devices: [JSONValue]) -> Table {
        var table = Table(columns: [.init(), .init(isFlexible: true, rank: 1)])
        table.rows = devices.map {
            [.init(PlainText.line($0["name"]), .bold), .init(PlainText.line($0["description"]), .faint)]
        }
        return table
    }

    /// The names of outputs in properties `outputs.NAME.…`.
    static func names(in values: JSONValue?) -> [String] {
        guard case .object(let members)? = values else { return [] }
        var names: [String] = []
        for key in members.keys.sorted() {
            let parts = key.split(separator: ".")
            if parts.count == 3, parts[0] == "outputs", names.last != String(parts[1]) {
                names.append(String(parts[1]))
            }
        }
        return names
    }
}
