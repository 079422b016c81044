/// What the screen shows: texts at places, of which none is wider than its room.
struct Page: Equatable, Sendable {
    /// How a text stands out.
    enum Style: Int32, Sendable {
        case plain, bold, faint, selected, good, warning, bad
    }

    /// A text at a column of a row.
    struct Span: Equatable, Sendable {
        let column: Int
        let text: String
        var style = Style.plain
    }

    /// A line between list and detail.
    struct Divider: Equatable, Sendable {
        let column: Int
        let row: Int
        let rows: Int
    }

    /// A cell.
    struct Place: Equatable, Sendable {
        let row: Int
        let column: Int
    }

    var rows: [[Span]]
    var divider: Divider?
    /// Where what is typed goes.
    var cursor: Place?

    /// Puts a text at a place; nothing below the last row.
    mutating func put(_ row: Int, _ column: Int, _ text: String, _ style: Style = .plain) {
        guard rows.indices.contains(row), !text.isEmpty else { return }
        rows[row].append(Span(column: column, text: text, style: style))
    }
}
