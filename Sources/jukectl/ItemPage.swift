import Terminal

/// An item of the store on a page: its title, what is known of it, its summary.
enum ItemPage {
    /// A line each; the summary is broken at the width of the terminal, at most 100 columns.
    static func lines(_ item: StoreItem, on output: Output) -> [String] {
        var lines = [output.styled(item.title, .bold)]
        for fact in item.facts {
            lines.append(output.styled(Help.padded(fact.name + ":", 10), .faint) + fact.text)
        }
        for paragraph in item.summary {
            lines.append("")
            guard let columns = output.columns else {
                lines.append(paragraph)
                continue
            }
            lines += TextWidth.wrapped(paragraph, to: min(100, columns))
        }
        return lines
    }
}
