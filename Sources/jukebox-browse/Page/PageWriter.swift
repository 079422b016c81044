import Base
import Terminal

/// Makes a page of the model.
struct PageWriter {
    let model: BrowseModel
    let layout: Layout
    /// False where only ASCII can be shown.
    var hasUnicode = true

    /// The whole screen.
    func page() -> Page {
        var page = Page(rows: Array(repeating: [], count: max(0, layout.rows)))
        writeHead(&page)
        if model.mode == .help {
            for (row, line) in HelpText.lines.prefix(layout.bodyRows).enumerated() {
                page.put(row + 1, 0, TextWidth.clipped(line, to: layout.columns))
            }
        } else {
            writeBody(&page)
        }
        page.put(layout.rows - 2, 0, TextWidth.clipped(playerLine, to: layout.columns), playerStyle)
        writeFoot(&page)
        return page
    }

    private func writeBody(_ page: inout Page) {
        let showsDetail = layout.isSplit || model.mode == .detail
        if layout.isSplit || model.mode != .detail { ListWriter(model, layout, hasUnicode).write(to: &page) }
        if showsDetail { DetailWriter(model, layout).write(to: &page) }
        if layout.isSplit, layout.bodyRows > 0 {
            page.divider = .init(column: layout.listColumns, row: 1, rows: layout.bodyRows)
        }
    }

    // MARK: The first line

    private func writeHead(_ page: inout Page) {
        let right = " \(headRight) "
        let room = max(0, layout.columns - TextWidth.of(right))
        let words = model.query.words { model.sourceTitles[$0] ?? "source \($0)" }
        page.put(
            0, 0, TextWidth.fitted(" " + words, to: room) + TextWidth.clipped(right, to: layout.columns),
            .selected)
    }

    private var headRight: String {
        if model.away != nil { return "no daemon" }
        var words: [String] = []
        if model.values["store.status"] == .string("loading") { words.append("reading sources") }
        if model.values["store.offline"] == .bool(true) { words.append("offline") }
        if let total = model.window.total, !model.window.isLoading {
            words.append(total == 0 ? "nothing" : "\(model.window.selected + 1) of \(total)")
        } else {
            words.append("looking")
        }
        return words.joined(separator: ", ")
    }

    // MARK: The player

    private var playerLine: String {
        let values = model.values
        guard let state = ItemText.text(values["player.state"]) else { return "" }
        if let error = values["player.error"], error != .null {
            return PlainText.line(error["message"]) ?? "playback failed"
        }
        var parts = [state]
        if let reason = ItemText.text(values["player.waitingReason"]) { parts[0] += " (\(reason))" }
        if let title = ItemText.current(values) {
            let position = PlaybackText.position(values)
            let percent = values["player.volume"]?.number.map { max(0, min($0, 100)) }
            let volume = percent.map { "  vol \(Int($0))" } ?? ""
            let room = layout.columns - TextWidth.of(parts[0] + position + volume) - 4
            parts.append(TextWidth.clipped(title, to: max(1, room)))
            parts.append(position + volume)
        }
        return parts.joined(separator: "  ")
    }

    private var playerStyle: Page.Style {
        if (model.values["player.error"] ?? .null) != .null { return .bad }
        switch model.values["player.state"] {
        case .string("playing"): return .good
        case .string("buffering"): return .warning
        default: return .bold
        }
    }

    // MARK: The last line

    private func writeFoot(_ page: inout Page) {
        let row = layout.rows - 1
        if model.mode == .filter || (!model.query.text.isEmpty && model.message == nil && model.away == nil) {
            // What was typed last stays in sight.
            var text = model.query.text
            while TextWidth.of(text) > max(1, layout.columns - 3) { text.removeFirst() }
            page.put(row, 0, "/" + text, model.mode == .filter ? .plain : .faint)
            if model.mode == .filter { page.cursor = .init(row: row, column: 1 + TextWidth.of(text)) }
        } else if let away = model.away, model.message == nil {
            page.put(row, 0, TextWidth.clipped(away, to: layout.columns - 1), .bad)
        } else {
            let text = model.message ?? "/ filter  Enter play  a add  d download  ? help  q quit"
            page.put(
                row, 0, TextWidth.clipped(text, to: layout.columns - 1),
                model.message == nil ? .faint : .warning)
        }
    }
}
