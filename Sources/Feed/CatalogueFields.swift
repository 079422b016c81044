import Base

/// The members of an object by any of several names, in any letter case.
struct CatalogueFields {
    private var members: [String: JSONValue] = [:]

    /// No members for what is no object.
    init(_ value: JSONValue) {
        guard case .object(let object) = value else { return }
        for (name, value) in object where value != .null { members[name.lowercased()] = value }
    }

    /// The first of these that is there.
    func value(_ names: String...) -> JSONValue? { first(names) }

    /// One line of text; numbers count as text.
    func line(_ names: String...) -> String? { first(names).flatMap(Self.line) }

    /// Text with its lines, without markup.
    func text(_ names: String...) -> String? {
        guard case .string(let text)? = first(names) else { return nil }
        return PlainText.of(text)
    }

    /// A finite number, also one that is written as text.
    func number(_ names: String...) -> Double? {
        let value = first(names)
        let number = value?.number ?? value.flatMap(Self.line).flatMap { Double($0) }
        guard let number, abs(number) < 1e15 else { return nil }
        return number
    }

    func list(_ names: String...) -> [JSONValue]? {
        guard case .array(let values)? = first(names) else { return nil }
        return values
    }

    /// One line of text out of a value; nil for what is none.
    static func line(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): ShownText.line(text, longest: 8192)
        case .integer(let number): String(number)
        case .real(let number): String(number)
        default: nil
        }
    }

    private func first(_ names: [String]) -> JSONValue? {
        for name in names { if let value = members[name.lowercased()] { return value } }
        return nil
    }
}
