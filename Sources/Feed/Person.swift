import Base

/// Names of people as feeds write them.
enum Person {
    /// The name out of `mail@example.org (Name)` or `Name <mail@example.org>`; nil when nothing is left.
    static func name(_ text: String) -> String? {
        guard let line = PlainText.title(text) else { return nil }
        guard line.contains("@") else { return line }
        if let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close {
            return ShownText.line(line[line.index(after: open)..<close])
        }
        if let open = line.firstIndex(of: "<"), open != line.startIndex {
            return ShownText.line(line[..<open])
        }
        return line.contains(" ") ? line : nil
    }
}
