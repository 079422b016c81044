import Base

/// `store:ID` in the place of a URL: an item of the store.
enum StoreReference {
    private static let prefix = "store:"

    /// The item that a URL names; nil for any other URL.
    static func id(_ url: String) -> Int64? {
        guard url.hasPrefix(prefix), let id = Int64(url.dropFirst(prefix.utf8.count)), id > 0 else {
            return nil
        }
        return id
    }

    /// All that a call's parameters name.
    static func ids(in value: JSONValue) -> Set<Int64> {
        switch value {
        case .string(let text): id(text).map { [$0] } ?? []
        case .array(let values): values.reduce(into: []) { $0.formUnion(ids(in: $1)) }
        case .object(let members): members.reduce(into: []) { $0.formUnion(ids(in: $1.1)) }
        default: []
        }
    }
}
