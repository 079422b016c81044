import Base
import Terminal

/// Values as words of a command line: text without quotes, everything else as JSON.
enum ValueText {
    /// Writes a value so that it fits on a line.
    static func write(_ value: JSONValue) -> String {
        if case .string = value { return ItemText.text(value) ?? "" }
        return JSONText(value).string
    }

    /// True when a value is what a person typed: `playing`, `40`, `true`, `null`.
    static func matches(_ value: JSONValue, _ text: String) -> Bool {
        if case .string(let own) = value, own == text { return true }
        guard let typed = JSONLine.value(text) else { return false }
        if let number = value.number, let other = typed.number { return number == other }
        return typed == value
    }

    /// A typed value: JSON where it is JSON, else text.
    static func read(_ text: String) -> JSONValue { JSONLine.value(text) ?? .string(text) }
}
