import Base

/// Which items are listed, in which order: what `store.list` is asked.
struct ListQuery: Equatable, Sendable {
    /// The kinds, in the order in which a key goes through them; nil for all.
    static let kinds: [String?] = [nil, "track", "album", "episode", "station"]
    /// The orders, each with the way in which it is wanted first.
    static let orders = [
        "title", "-date", "-added", "creator", "album", "duration", "-rating", "-played", "-heard",
    ]

    var text = ""
    var kind: String?
    var source: Int64?
    var isUnheard = false
    var isAvailable = false
    var order = "title"

    /// The parameters for a page of it.
    func parameters(offset: Int, limit: Int) -> JSONValue {
        var parameters: [String: JSONValue] = [
            "offset": .integer(Int64(offset)), "limit": .integer(Int64(limit)), "sort": .string(order),
        ]
        if !text.isEmpty { parameters["query"] = .string(text) }
        if let kind { parameters["kind"] = .string(kind) }
        if let source { parameters["source"] = .integer(source) }
        if isUnheard { parameters["unheard"] = .bool(true) }
        if isAvailable { parameters["available"] = .bool(true) }
        return .object(JSONMembers(parameters))
    }

    /// The next kind.
    mutating func nextKind() { kind = ListQuery.next(after: kind, in: ListQuery.kinds) }

    /// The next order.
    mutating func nextOrder() {
        let known = ListQuery.orders.first { ListQuery.bare($0) == ListQuery.bare(order) } ?? order
        order = ListQuery.next(after: known, in: ListQuery.orders)
    }

    /// The same order, the other way.
    mutating func reverseOrder() { order = order.hasPrefix("-") ? ListQuery.bare(order) : "-" + order }

    /// What is listed, in words; `sourceTitle` names the source.
    func words(sourceTitle: (Int64) -> String) -> String {
        var words = [kind.map { $0 + "s" } ?? "all"]
        if let source { words.append("of " + sourceTitle(source)) }
        if isUnheard { words.append("not heard") }
        if isAvailable { words.append("here") }
        words.append("by " + ListQuery.bare(order) + (order.hasPrefix("-") ? ", last first" : ""))
        return words.joined(separator: ", ")
    }

    private static func bare(_ order: String) -> String {
        order.hasPrefix("-") ? String(order.dropFirst()) : order
    }

    private static func next<Value: Equatable>(after value: Value, in values: [Value]) -> Value {
        guard let place = values.firstIndex(of: value) else { return values[0] }
        return values[(place + 1) % values.count]
    }
}
