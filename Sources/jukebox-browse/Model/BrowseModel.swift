import Base
import Terminal

/// What the screen shows and what keys do; knows neither terminal nor socket.
struct BrowseModel: Sendable {
    /// What keys act on.
    enum Mode: Equatable, Sendable {
        case list, filter, detail, help
    }

    var mode = Mode.list
    var query = ListQuery()
    var window = ItemWindow()
    /// What is observed, as far as it was told.
    var values: [String: JSONValue] = [:]
    /// Why there is no daemon; nil while there is one.
    var away: String? = "looking for the daemon"
    /// What came of the last key; goes with the next one.
    var message: String?
    /// How far the detail view is scrolled, in lines.
    var scroll = 0
    /// Titles of the sources that are known.
    var sourceTitles: [Int64: String] = [:]

    /// The selected item as the daemon tells it in full.
    private(set) var detail: StoreItem?
    private(set) var picture: PictureView?
    private var askedDetail: Int64?
    private var areSourcesDue = true
    private let showsPictures: Bool

    /// `showsPictures` where something can turn them into text.
    init(showsPictures: Bool = false) { self.showsPictures = showsPictures }

    /// The selected item, in full where that has come.
    var item: StoreItem? {
        guard let item = window.selectedItem else { return nil }
        return detail?.id == item.id ? detail : item
    }

    // MARK: Asking

    /// What is to be asked now.
    mutating func takeRequests() -> [Request] {
        guard away == nil else { return [] }
        var requests: [Request] = []
        if let page = window.takeRequest() {
            requests.append(.page(query, generation: page.generation, offset: page.offset, limit: page.limit))
        }
        if let id = window.selectedItem?.id, detail?.id != id, askedDetail == nil {
            askedDetail = id
            requests.append(.detail(id))
        }
        if areSourcesDue {
            areSourcesDue = false
            requests.append(.sources)
        }
        return requests
    }

    /// Takes the answer to a request.
    mutating func take(_ result: JSONValue, of request: Request) {
        switch request {
        case .page(_, let generation, let offset, _):
            let total = result["total"]?.whole ?? 0
            window.take(StoreItem.list(result), total: max(0, total), offset: offset, generation: generation)
        case .detail(let id):
            askedDetail = nil
            guard let item = StoreItem(result), item.id == id else { return }
            detail = item
        case .sources: takeSources(result)
        case .action(_, _, let done): message = done ?? message
        case .observe:
            if case .object(let members)? = result["values"] { change(members.map { ($0.0, $0.1) }) }
        case .picture: break
        }
    }

    /// A request was refused.
    mutating func fail(_ message: String, _ request: Request) {
        switch request {
        case .page(_, let generation, _, _):
            window.fail(generation: generation)
            self.message = message
        case .detail(let id):
            askedDetail = nil
            // What is listed is all that can be shown of it.
            detail = window.selectedItem?.id == id ? window.selectedItem : nil
        case .action, .picture(_, isFull: true): self.message = message
        // An older daemon lacks some of what is observed, and an item may have no picture.
        case .sources, .observe, .picture: break
        }
    }

    private mutating func takeSources(_ result: JSONValue) {
        for source in result.elements(of: "sources") {
            guard case .integer(let id)? = source["id"] else { continue }
            sourceTitles[id] = PlainText.line(source["title"]) ?? PlainText.line(source["url"])
        }
    }

    // MARK: Hearing

    /// Properties have changed; nil for one that went away.
    mutating func change(_ changes: [(key: String, value: JSONValue?)]) {
        for (key, value) in changes {
            let old = values[key]
            values[key] = value
            if key == "store.revision", let old, old != value {
                window.invalidate()
                detail = nil
            } else if key.hasPrefix("sources."), key.hasSuffix(".status"), old != value {
                areSourcesDue = true
            } else if let picture, key == "artwork.\(picture.item)", old != value {
                self.picture = nil
            }
        }
    }

    /// There is a daemon: all that is known is asked for anew.
    mutating func connected() {
        away = nil
        values = [:]
        areSourcesDue = true
        askedDetail = nil
        detail = nil
        window.invalidate()
    }

    /// The daemon went.
    mutating func disconnected(_ reason: String) {
        away = reason
        values = [:]
        askedDetail = nil
        window.forgetRequests()
    }

    // MARK: Pictures

    /// The picture that should be made ready to be shown; nil when it is, or none is wanted.
    func wantedPicture(_ size: PictureView.Size?) -> PictureView? {
        guard showsPictures, let size, let detail, detail.id == window.selectedItem?.id
        else {
            return nil
        }
        let wanted = PictureView(item: detail.id, size: size)
        return picture?.item == wanted.item && picture?.size == size ? nil : wanted
    }

    /// A picture, without lines while it is being made.
    mutating func setPicture(_ picture: PictureView) { self.picture = picture }
}
