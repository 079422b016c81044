import Base
import Terminal

/// The detail of the selected item.
struct DetailWriter {
    private let model: BrowseModel
    private let layout: Layout

    /// A line and how it stands out.
    private typealias Line = (text: String, style: Page.Style)

    init(_ model: BrowseModel, _ layout: Layout) { (self.model, self.layout) = (model, layout) }

    /// Writes it beside the list, or in its place.
    func write(to page: inout Page) {
        guard let item = model.item else { return }
        let lines = lines(of: item)
        let first = max(0, min(model.scroll, lines.count - layout.bodyRows))
        for (row, line) in lines.dropFirst(first).prefix(layout.bodyRows).enumerated() {
            page.put(row + 1, layout.detailColumn, line.text, line.style)
        }
    }

    /// How many lines it has.
    var count: Int { model.item.map { lines(of: $0).count } ?? 0 }

    private func lines(of item: StoreItem) -> [Line] {
        var lines: [Line] = TextWidth.wrapped(item.title, to: layout.detailColumns).map { ($0, .bold) }
        if let download = download(of: item) { lines.append(download) }
        lines += facts(of: item)
        lines += picture(of: item)
        for paragraph in item.summary {
            lines.append(("", .plain))
            lines += TextWidth.wrapped(paragraph, to: layout.detailColumns).map { ($0, .plain) }
        }
        return lines
    }

    private func facts(of item: StoreItem) -> [Line] {
        var facts = item.facts
        if let title = model.sourceTitles[item.source] { facts.append(.init("source", title)) }
        return facts.flatMap { fact in
            let name = TextWidth.fitted(fact.name, to: 9)
            let wrapped = TextWidth.wrapped(fact.text, to: max(1, layout.detailColumns - 9))
            return wrapped.enumerated().map { index, part -> Line in
                ((index == 0 ? name : String(repeating: " ", count: 9)) + part, .plain)
            }
        }
    }

    private func download(of item: StoreItem) -> Line? {
        guard let progress = DownloadProgress(item.id, in: model.values) else { return nil }
        switch progress.state {
        case .finished: return nil
        case .failed: return (clipped("download failed: \(progress.failure ?? "")"), .bad)
        case .queued: return (clipped("download waits for its turn"), .warning)
        case .running:
            let bytes = progress.received.map(ByteText.write) ?? ""
            guard let percent = progress.percent, let fraction = progress.fraction else {
                return (clipped("downloading \(bytes)"), .warning)
            }
            let bar = ProgressBar.text(fraction, columns: max(0, min(20, layout.detailColumns - 20)))
            return (clipped("\(bar) \(percent)% \(bytes)"), .warning)
        }
    }

    private func picture(of item: StoreItem) -> [Line] {
        guard let picture = model.picture, picture.item == item.id, !picture.lines.isEmpty else { return [] }
        return [("", .plain)] + picture.lines.map { (clipped($0), .plain) }
    }

    private func clipped(_ text: String) -> String { TextWidth.clipped(text, to: layout.detailColumns) }
}
