import Player

/// Header fields as they are kept: names and values, one after the other.
extension [String] {
    /// The names with their values; a name without one is left out.
    var headerPairs: [(String, String)] {
        stride(from: 0, to: count - 1, by: 2).map { (self[$0], self[$0 + 1]) }
    }

    /// The same as header fields.
    var headerFields: [HeaderField] { headerPairs.map { HeaderField($0, $1) } }
}

extension [HeaderField] {
    /// As they are kept.
    var namesAndValues: [String] { flatMap { [$0.name, $0.value] } }
}
