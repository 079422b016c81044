/// An item of a source that the catalogue has already, as far as it is compared.
package struct KnownItem: Equatable, Sendable {
    package let id: Int64
    package let listing: CatalogueItem.Listing
    package let keys: ItemKeys
    /// Stands for all that was told of it.
    package let contentHash: Int64

    package init(id: Int64, listing: CatalogueItem.Listing, keys: ItemKeys, contentHash: Int64) {
        (self.id, self.listing, self.keys, self.contentHash) = (id, listing, keys, contentHash)
    }
}

/// Finds out which items of a document are which that are known: identities change less than what tells them.
///
/// First what agrees in most, then in less; whoever has found its other is out of it. So an item that is still told of
/// by its guid never takes the place of another, and what is left over on both sides is compared by media and title.
package struct ItemMatcher {
    /// What an item of the document is.
    package enum Match: Equatable, Sendable {
        /// One of those that are known, by index.
        case known(Int)
        case new
        /// The same as one before it in the document.
        case double
    }

    private let known: [KnownItem]
    private let items: [ItemKeys]
    private var matches: [Match?]
    private var isTaken: [Bool]

    /// Matches all items of a document; O(n) for each of a few ways to compare.
    package static func match(_ items: [ItemKeys], with known: [KnownItem]) -> [Match] {
        var matcher = ItemMatcher(items, known)
        matcher.findDoubles()
        if !known.isEmpty { matcher.findKnown() }
        return matcher.matches.map { $0 ?? .new }
    }

    private init(_ items: [ItemKeys], _ known: [KnownItem]) {
        self.items = items
        self.known = known
        matches = Array(repeating: nil, count: items.count)
        isTaken = Array(repeating: false, count: known.count)
    }

    /// A guid that is used for several media is several items; the same media under one guid, or without a guid under
    /// one title, is one.
    private mutating func findDoubles() {
        var seen: Set<[Int64]> = []
        for (index, item) in items.enumerated() {
            let key: [Int64] = item.guid.map { [1, $0, item.media] } ?? [0, item.media, item.title]
            if !seen.insert(key).inserted { matches[index] = .double }
        }
    }

    private mutating func findKnown() {
        pair { keys in keys.guid.map { [$0, keys.media] } }
        // A host that moves changes the URL, an editor the title: but not all at once with the date.
        pair(onlyUnique: true, where: Self.agreeInSomething) { keys in keys.guid.map { [$0] } }
        pair { keys in keys.guid.map { [$0, keys.title] } }
        // From here on guids have changed, or there are none.
        pair { [$0.media, $0.title] }
        pair(onlyUnique: true) { keys in keys.date.map { [keys.media, Self.bits($0)] } }
        pair(onlyUnique: true, where: Self.lackGuid) { [$0.media] }
        pair(onlyUnique: true) { [$0.place, $0.title] }
        pair(onlyUnique: true) { keys in keys.date.map { [keys.name, keys.title, Self.bits($0)] } }
        pair(onlyUnique: true, where: Self.lackGuid) { keys in keys.date.map { [keys.place, Self.bits($0)] } }
        pair(onlyUnique: true, where: Self.lackGuid) { keys in keys.date.map { [keys.title, Self.bits($0)] } }
    }

    /// Pairs what is left on both sides and has the same key; with `onlyUnique` where there is one of each only.
    private mutating func pair(
        onlyUnique: Bool = false, where mayBe: (ItemKeys, ItemKeys) -> Bool = { _, _ in true },
        _ key: (ItemKeys) -> [Int64]?
    ) {
        var rows: [[Int64]: [Int]] = [:]
        for (index, row) in known.enumerated() where !isTaken[index] {
            if let key = key(row.keys) { rows[key, default: []].append(index) }
        }
        guard !rows.isEmpty else { return }
        var counts: [[Int64]: Int] = [:]
        let waiting = items.indices.filter { matches[$0] == nil }
        if onlyUnique {
            for index in waiting { if let key = key(items[index]) { counts[key, default: 0] += 1 } }
        }
        for index in waiting {
            guard let key = key(items[index]), let candidates = rows[key] else { continue }
            if onlyUnique, candidates.count != 1 || counts[key] != 1 { continue }
            guard let row = candidates.first(where: { !isTaken[$0] && mayBe(items[index], known[$0].keys) })
            else { continue }
            isTaken[row] = true
            matches[index] = .known(row)
        }
    }

    private static func agreeInSomething(_ a: ItemKeys, _ b: ItemKeys) -> Bool {
        a.title == b.title || a.place == b.place || a.date != nil && a.date == b.date
    }

    private static func lackGuid(_ a: ItemKeys, _ b: ItemKeys) -> Bool { a.guid == nil || b.guid == nil }

    private static func bits(_ date: Double) -> Int64 { Int64(bitPattern: date.bitPattern) }
}
