import Base
import Terminal

/// The list: a row an item, the selected one marked.
struct ListWriter {
    private let model: BrowseModel
    private let layout: Layout
    private let hasUnicode: Bool

    init(_ model: BrowseModel, _ layout: Layout, _ hasUnicode: Bool) {
        (self.model, self.layout, self.hasUnicode) = (model, layout, hasUnicode)
    }

    /// Writes it below the first line.
    func write(to page: inout Page) {
        let window = model.window
        guard window.total != 0 else {
            let text =
                model.query == ListQuery(order: model.query.order) ? "The store is empty." : "Nothing fits."
            return page.put(1, 1, TextWidth.clipped(text, to: max(0, layout.listColumns - 1)), .faint)
        }
        for row in 0..<layout.bodyRows {
            let place = window.top + row
            guard place < window.total ?? 0 else { return }
            let isSelected = place == window.selected
            guard let item = window[place] else {
                page.put(
                    row + 1, 0, TextWidth.fitted(" …", to: layout.listColumns),
                    isSelected ? .selected : .faint)
                continue
            }
            page.put(row + 1, 0, line(item, isSelected: isSelected), style(item, isSelected))
        }
    }

    private func style(_ item: StoreItem, _ isSelected: Bool) -> Page.Style {
        if isSelected { return .selected }
        return item.isHeard ? .faint : .plain
    }

    /// `>` says which is selected where nothing can stand out.
    private func line(_ item: StoreItem, isSelected: Bool) -> String {
        let left = (isSelected ? ">" : " ") + item.marks(inUnicode: hasUnicode) + " "
        let right = layout.listColumns >= 40 ? note(item) : ""
        let room = layout.listColumns - TextWidth.of(left) - (right.isEmpty ? 0 : TextWidth.of(right) + 1)
        var title = item.title
        if let creators = item.creators, item.kind != "episode" { title += " - \(creators)" }
        return left + TextWidth.fitted(title, to: max(0, room)) + (right.isEmpty ? "" : " " + right)
    }

    /// How far its download is, else its date or how long it is.
    private func note(_ item: StoreItem) -> String {
        if let progress = DownloadProgress(item.id, in: model.values), !progress.isSettled {
            return progress.percent.map { "\($0)%" } ?? progress.received.map(ByteText.write) ?? "waits"
        }
        if item.kind == "episode", let day = item.day { return day }
        return item.duration.map(ClockText.write) ?? ""
    }
}
