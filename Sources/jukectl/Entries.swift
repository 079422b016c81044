import Base

/// Entries of the queue as a person names them.
enum Entries {
    /// The id that a word names. Throws wrong usage.
    static func id(_ word: String) throws(ClientFailure) -> JSONValue {
        guard let id = Int64(word), id >= 0 else {
            throw .usage("\"\(word)\" is no ID; `jukectl queue` shows them")
        }
        return .integer(id)
    }

    /// The ids that words name. Throws wrong usage.
    static func ids(_ words: some Sequence<String>) throws(ClientFailure) -> JSONValue {
        var ids: [JSONValue] = []
        for word in words { ids.append(try id(word)) }
        return .array(ids)
    }

    /// A place in the queue counted from 1, as the protocol counts it, from 0. Throws wrong usage.
    static func place(_ word: String) throws(ClientFailure) -> JSONValue {
        guard let place = Int64(word), place >= 1 else {
            throw .usage("\"\(word)\" is no place in the queue; the first is 1")
        }
        return .integer(place - 1)
    }
}
