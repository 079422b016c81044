import Base
import Glibc
import Terminal

/// Standard output, for a person at a terminal, a person's pipe, or a script.
struct Output {
    /// How a part of a line stands out on a terminal.
    enum Style: String {
        case plain = ""
        case bold = "1"
        case faint = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
    }

    let wantsJSON: Bool
    /// True when somebody is looking.
    let isTerminal: Bool
    private let hasColour: Bool

    init(wantsJSON: Bool, isTerminal: Bool = isatty(1) == 1) {
        self.wantsJSON = wantsJSON
        self.isTerminal = isTerminal
        // Source: no-color.org
        hasColour =
            isTerminal && System.environment("NO_COLOR") == nil && System.environment("TERM") != "dumb"
    }

    /// How many columns a line has; nil where nobody is looking.
    var columns: Int? {
        guard isTerminal else { return nil }
        return TerminalSize(of: 1)?.columns ?? System.environment("COLUMNS").flatMap { Int($0) } ?? 80
    }

    /// The text in a style, where the terminal shows styles.
    func styled(_ text: String, _ style: Style) -> String {
        hasColour && style != .plain && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Prints text as it is. Ends the program when nobody reads any more.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        do {
            try unsafe bytes.withUnsafeBytes { try unsafe System.writeAll(1, $0) }
        } catch {
            exit(ExitStatus.refused.rawValue)
        }
    }

    /// Prints a line.
    func line(_ text: String) { write(text + "\n") }

    /// Prints a value as a line of JSON.
    func json(_ value: JSONValue) { line(JSONText(value).string) }

    /// Prints a reply for a script; a person who gave a command sees that it worked by hearing it.
    func acknowledge(_ result: JSONValue) {
        if wantsJSON { json(result) }
    }
}
