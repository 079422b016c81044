import Base

/// What the daemon is asked.
enum Request: Equatable, Sendable {
    case page(ListQuery, generation: Int, offset: Int, limit: Int)
    case detail(Int64)
    case sources
    case observe(String)
    /// The path of a picture; `isFull` to be opened, else to be shown as text.
    case picture(Int64, isFull: Bool)
    /// What a key does; `done` is what is said when it is.
    case action(String, JSONValue, done: String?)

    /// Its method and parameters.
    var call: (method: String, parameters: JSONValue) {
        switch self {
        case .page(let query, _, let offset, let limit):
            ("store.list", query.parameters(offset: offset, limit: limit))
        case .detail(let id): ("store.show", .object(["id": .integer(id)]))
        case .sources: ("store.sources", .null)
        case .observe(let key): ("observe", .object(["keys": .array([.string(key)])]))
        case .picture(let id, let isFull):
            ("store.artwork", .object(["id": .integer(id), "size": .string(isFull ? "full" : "thumb")]))
        case .action(let method, let parameters, _): (method, parameters)
        }
    }
}
