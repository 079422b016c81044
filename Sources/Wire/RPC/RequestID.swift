package import Base

/// The id of a request, given back exactly as it came.
package enum RequestID: Equatable, Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case null

    /// The id in a message; nil for any kind that is none (a boolean, a fraction, an integer beyond 64 bits).
    package init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .null: self = .null
        default: return nil
        }
    }
}

extension RequestID: JSONRepresentable {
    package func write(to text: inout JSONText) {
        switch self {
        case .string(let value): text.append(string: value)
        case .integer(let value): text.append(number: value)
        case .null: text.append(raw: "null")
        }
    }
}
