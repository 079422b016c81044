import Base

/// What `observe` and `get` name: leaf keys, prefixes that end at a dot's place, or all; in a normal form, so
/// that clients who ask for the same share everything.
struct KeySelection: Hashable {
    /// Sorted, each once; `["*"]` for all.
    let names: [String]
    private let lookup: Set<Substring>

    /// The most names in one call, and the most bytes in a name.
    static let limit = 1000
    static let longestName = 256

    /// Throws invalid_params for too many names, not_found for one whose first segment is not known.
    init(_ names: [String], known segments: Set<String>) throws(CommandFailure) {
        guard names.count <= KeySelection.limit else {
            throw CommandFailure(
                .invalidParams,
                "keys holds \(names.count) names; at most \(KeySelection.limit) are allowed.")
        }
        for name in names where name != "*" {
            let first = name.prefix { $0 != "." }
            guard segments.contains(String(first)), name.utf8.count <= KeySelection.longestName else {
                let known = segments.sorted().joined(separator: ", ")
                throw CommandFailure(
                    .notFound,
                    "There is no property \"\(name.prefix(64))\"; the first part is one of \(known).")
            }
        }
        let unique = Set(names)
        self.names = unique.contains("*") ? ["*"] : unique.sorted()
        lookup = Set(self.names.map { $0[...] })
    }

    static func == (a: Self, b: Self) -> Bool { a.names == b.names }
    func hash(into hasher: inout Hasher) { hasher.combine(names) }

    /// True for all properties.
    var isAll: Bool { names.first == "*" }

    /// True when the key is named, or lies below a name.
    func contains(_ key: String) -> Bool {
        if isAll || lookup.contains(key[...]) { return true }
        var end = key.startIndex
        while let dot = key[end...].firstIndex(of: ".") {
            if lookup.contains(key[..<dot]) { return true }
            end = key.index(after: dot)
        }
        return false
    }
}
