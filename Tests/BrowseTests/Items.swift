import Base
import Terminal

@testable import jukebox_browse

/// A store in memory that answers as the daemon does.
struct PaperStore {
    var titles: [Int64: String] = [:]
    var order: [Int64] = []

    init(_ count: Int) {
        for id in 1...Int64(max(1, count)) where count > 0 {
            titles[id] = "Item \(id)"
            order.append(id)
        }
    }

    func item(_ id: Int64, more: [String: JSONValue] = [:]) -> JSONValue {
        let members: [String: JSONValue] = [
            "id": .integer(id), "kind": .string("track"), "source": .integer(1),
            "title": titles[id].map { .string($0) } ?? .null, "duration": .real(83),
        ]
        return .object(JSONMembers(members.merging(more) { $1 }))
    }

    /// The answer to a request.
    func answer(_ request: Request) -> JSONValue {
        switch request {
        case .page(let query, _, let offset, let limit):
            let found = order.filter { query.text.isEmpty || (titles[$0] ?? "").contains(query.text) }
            let page = found.dropFirst(offset).prefix(limit)
            return .object(["total": .integer(Int64(found.count)), "items": .array(page.map { item($0) })])
        case .detail(let id): return item(id, more: ["summary": .string("Told at length.")])
        case .sources:
            return .object(["sources": .array([.object(["id": .integer(1), "title": .string("A shelf")])])])
        case .observe, .picture, .action: return .object([:])
        }
    }
}

extension BrowseModel {
    /// Asks the store until there is nothing to ask; returns what was asked.
    @discardableResult
    mutating func settle(_ store: PaperStore) -> [Request] {
        var asked: [Request] = []
        while asked.count < 1000 {
            let requests = takeRequests()
            if requests.isEmpty { return asked }
            for request in requests { take(store.answer(request), of: request) }
            asked += requests
        }
        return asked
    }

    /// One that is connected, with a list of `rows` rows.
    static func ready(_ store: PaperStore, rows: Int = 20) -> BrowseModel {
        var model = BrowseModel()
        model.connected()
        model.window.setHeight(rows)
        model.settle(store)
        return model
    }

    /// Types keys.
    mutating func type(_ text: String) {
        for character in text { _ = press(.character(character)) }
    }
}
