package import Base

/// Peers' words in sentences for people: as JSON, and cut when long.
package enum Quoted {
    private static let limit = 80

    /// A string in quotes.
    package static func text(_ text: String) -> String {
        value(.string(text.utf8.count > 4 * limit ? String(text.prefix(limit)) + "…" : text))
    }

    /// Any value as JSON, at most 80 characters of it.
    package static func value(_ value: JSONValue) -> String {
        let text = JSONText(value).string
        return text.count > limit + 2 ? String(text.prefix(limit)) + "…" : text
    }
}
