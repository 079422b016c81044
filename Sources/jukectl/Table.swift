import Terminal

/// Rows in columns, made to fit the width of a terminal.
struct Table {
    /// How a column is laid out.
    struct Column {
        /// Numbers stand at the right.
        var isRight = false
        /// It may be cut; what is left of the width is shared by those that may.
        var isFlexible = false
        /// Where there is no room the columns of the highest rank go first; 0 stays.
        var rank = 0
    }

    /// A text and how it stands out.
    struct Cell {
        let text: String
        var style = Output.Style.plain

        init(_ text: String?, _ style: Output.Style = .plain) {
            self.text = text ?? ""
            self.style = style
        }
    }

    private static let gap = 2
    /// What is cut shorter tells nothing any more.
    private static let narrowest = 12

    let columns: [Column]
    var rows: [[Cell]] = []

    /// Prints it, as wide as the terminal is.
    func print(on output: Output) {
        for line in lines(width: output.columns, on: output) { output.line(line) }
    }

    /// A line a row, at most `width` columns of the terminal wide; as wide as it takes without.
    func lines(width: Int?, on output: Output) -> [String] {
        let widths = self.widths(within: width)
        return rows.map { row in
            var line = ""
            let shown = columns.indices.filter { widths[$0] > 0 }
            for index in shown {
                if index != shown.first { line += String(repeating: " ", count: Table.gap) }
                // Nothing is filled up at the end of a line.
                let isPlain = index == shown.last && !columns[index].isRight
                let text =
                    isPlain
                    ? TextWidth.clipped(row[index].text, to: widths[index])
                    : TextWidth.fitted(row[index].text, to: widths[index], right: columns[index].isRight)
                line += output.styled(text, row[index].style)
            }
            return line
        }
    }

    /// The width of each column; 0 for one that is not shown.
    func widths(within width: Int?) -> [Int] {
        var widths = columns.indices.map { index in rows.map { TextWidth.of($0[index].text) }.max() ?? 0 }
        guard let width else { return widths }
        let natural = widths
        let least = columns.indices.map {
            columns[$0].isFlexible ? min(natural[$0], Table.narrowest) : natural[$0]
        }
        while total(least.indices.map { widths[$0] > 0 ? least[$0] : 0 }) > width {
            let shown = columns.indices.filter { widths[$0] > 0 && columns[$0].rank > 0 }
            guard let last = shown.max(by: { columns[$0].rank < columns[$1].rank }) else { break }
            widths[last] = 0
        }
        let flexible = columns.indices.filter { widths[$0] > 0 && columns[$0].isFlexible }
        for index in flexible { widths[index] = 0 }
        // Gaps are counted for all that are shown.
        var rest =
            width - total(columns.indices.map { flexible.contains($0) ? 1 : widths[$0] }) + flexible.count
        var left = flexible.count
        for index in flexible.sorted(by: { natural[$0] < natural[$1] }) {
            widths[index] = max(1, min(natural[index], rest / left))
            rest -= widths[index]
            left -= 1
        }
        return widths
    }

    private func total(_ widths: [Int]) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + max(0, shown.count - 1) * Table.gap
    }
}
