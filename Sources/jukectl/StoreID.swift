import Base

/// Items and sources of the store as a person names them.
enum StoreID {
    /// An item: its ID, or `store:ID`. Throws wrong usage.
    static func item(_ word: String) throws(ClientFailure) -> Int64 {
        let digits = word.hasPrefix("store:") ? String(word.dropFirst("store:".count)) : word
        guard let id = Int64(digits), id >= 0 else {
            throw .usage("\"\(word)\" is no ID of an item; `jukectl search` shows them")
        }
        return id
    }

    /// The items that words name. Throws wrong usage.
    static func items(_ words: some Sequence<String>) throws(ClientFailure) -> [Int64] {
        var ids: [Int64] = []
        for word in words {
            let id = try item(word)
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// A source. Throws wrong usage.
    static func source(_ word: String) throws(ClientFailure) -> JSONValue {
        guard let id = Int64(word), id >= 0 else {
            throw .usage("\"\(word)\" is no ID of a source; `jukectl sources` shows them")
        }
        return .integer(id)
    }
}
