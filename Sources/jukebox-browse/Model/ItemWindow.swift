import Terminal

/// A long list of which only what is near the eye is here: pages that are asked for when they are needed.
struct ItemWindow: Sendable {
    static let pageSize = 100
    /// Pages farther away than this from what is shown are forgotten.
    private static let farthest = 3

    /// How many items the list has; nil until that was told.
    private(set) var total: Int?
    /// The place of the selected item.
    private(set) var selected = 0
    /// The place of the first item that is shown.
    private(set) var top = 0
    /// Counts what made all that was told before out of date.
    private(set) var generation = 0
    /// How many items are shown at a time.
    private(set) var height = 1

    private var pages: [Int: [StoreItem]] = [:]
    private var pagesGeneration = -1
    /// The page that was asked for and has not come yet.
    private var asked: Int?
    /// The item that stays selected wherever it goes.
    private var anchor: Int64?

    /// The item at a place; nil while its page is not here.
    subscript(place: Int) -> StoreItem? {
        guard place >= 0, let page = pages[place / Self.pageSize] else { return nil }
        let index = place % Self.pageSize
        return index < page.count ? page[index] : nil
    }

    /// The selected item; nil where there is none, or it is not here yet.
    var selectedItem: StoreItem? { self[selected] }

    /// True while something that is shown is asked for.
    var isLoading: Bool { asked != nil && (pagesGeneration != generation || total == nil) }

    // MARK: Moving

    /// Selects the item at a place, or the nearest there is.
    mutating func select(_ place: Int) {
        selected = max(0, min(place, (total ?? 1) - 1))
        anchor = nil
        reveal()
    }

    /// Moves the selection.
    mutating func move(by steps: Int) { select(selected + steps) }

    /// There is room for so many items.
    mutating func setHeight(_ rows: Int) {
        height = max(1, rows)
        reveal()
    }

    private mutating func reveal() {
        if selected < top { top = selected }
        if selected >= top + height { top = selected - height + 1 }
        top = max(0, min(top, max(0, (total ?? 0) - height)))
    }

    // MARK: Loading

    /// Another list is shown from now on, from its start.
    mutating func restart() {
        invalidate()
        anchor = nil
        selected = 0
        top = 0
    }

    /// The list has changed: it is asked for anew, and what is selected stays so.
    mutating func invalidate() {
        // What is shown while another list is on its way is not selected in that one.
        if pagesGeneration == generation { anchor = selectedItem?.id ?? anchor }
        generation += 1
        asked = nil
    }

    /// Nothing that was asked for will come: the daemon went.
    mutating func forgetRequests() { asked = nil }

    /// The page that is to be asked for next, one at a time: first what is shown, then what is next to it.
    mutating func takeRequest() -> (generation: Int, offset: Int, limit: Int)? {
        guard asked == nil, let page = wanted else { return nil }
        asked = page
        return (generation, page * Self.pageSize, Self.pageSize)
    }

    private var wanted: Int? {
        let first = top / Self.pageSize
        guard pagesGeneration == generation, let total else { return first }
        let last = max(0, min(total - 1, top + height - 1)) / Self.pageSize
        let near = [
            max(0, top - height) / Self.pageSize, max(0, min(total - 1, top + 2 * height)) / Self.pageSize,
        ]
        return (Array(first...max(first, last)) + near).first {
            pages[$0] == nil && $0 * Self.pageSize < total
        }
    }

    /// Takes a page that came; one of an older list is dropped.
    mutating func take(_ items: [StoreItem], total: Int, offset: Int, generation: Int) {
        guard generation == self.generation else { return }
        asked = nil
        let isFirst = pagesGeneration != generation
        if isFirst {
            pages = [:]
            pagesGeneration = generation
        }
        // A list that became shorter meanwhile has no such page: the place is given up, not asked for again.
        self.total = items.isEmpty ? min(total, offset) : total
        pages[offset / Self.pageSize] = items
        let here = top / Self.pageSize
        pages = pages.filter { abs($0.key - here) <= Self.farthest }
        if isFirst { follow() }
        selected = max(0, min(selected, (self.total ?? 1) - 1))
        reveal()
    }

    /// The page that was asked for will not come.
    mutating func fail(generation: Int) {
        guard generation == self.generation else { return }
        asked = nil
        if pagesGeneration != generation {
            pages = [:]
            pagesGeneration = generation
            total = 0
        }
    }

    /// Finds what was selected among what came, and keeps it at its row of the screen.
    private mutating func follow() {
        guard let anchor else { return }
        for (page, items) in pages {
            guard let index = items.firstIndex(where: { $0.id == anchor }) else { continue }
            let row = selected - top
            selected = page * Self.pageSize + index
            top = max(0, selected - row)
        }
        self.anchor = nil
    }
}
