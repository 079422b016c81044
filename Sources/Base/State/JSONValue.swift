/// A JSON value that came in.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONMembers)

    /// The number as a real; nil for what is no number.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// The number where it is whole; nil for any other, and for what is no number.
    package var whole: Int? { number.flatMap { Int(exactly: $0) } }

    /// The elements of a member that is an array; none where there is no such member.
    package func elements(of name: String) -> [JSONValue] {
        guard case .array(let values)? = self[name] else { return [] }
        return values
    }

    /// The member of an object; nil when absent or when this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// What kind of value this is, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .real: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: JSONRepresentable {
    package func write(to text: inout JSONText) {
        switch self {
        case .null: text.append(raw: "null")
        case .bool(let value): value.write(to: &text)
        case .integer(let value): text.append(number: value)
        case .real(let value): text.append(number: value)
        case .string(let value): text.append(string: value)
        case .array(let values): values.write(to: &text)
        case .object(let members):
            text.object { text in
                for member in members { text.member(member.0, member.1) }
            }
        }
    }
}
