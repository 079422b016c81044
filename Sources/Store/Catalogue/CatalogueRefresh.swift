import Base

/// A document's items on their way into the catalogue, a batch at a time: what did not change is not written.
package struct CatalogueRefresh: Sendable {
    /// What came of it.
    package struct Outcome: Equatable, Sendable {
        package var added = 0
        package var changed = 0
        package var unlisted = 0

        /// True when anything differs from before.
        package var hasChanged: Bool { added + changed + unlisted > 0 }
    }

    /// Items a transaction: long enough to be quick, short enough that others get their turn.
    private static let batch = 500

    /// As it is to be kept once all is done.
    private let source: CatalogueSource
    private let items: [ItemToKeep]
    private let time: Double
    private var known: [KnownItem] = []
    private var matches: [ItemMatcher.Match]?
    private var next = 0
    package private(set) var outcome = Outcome()

    /// Prepares; `time` is unix time.
    package init(_ source: CatalogueSource, _ items: [ItemToKeep], at time: Double) {
        self.source = source
        self.items = items
        self.time = time
    }

    /// The share that is done, 0 to 1.
    package var progress: Double { items.isEmpty ? 1 : Double(next) / Double(items.count) }

    /// Does the next part; true when all is done, also where the source is gone meanwhile. Catalogue thread.
    package mutating func step(_ file: CatalogueFile) throws(StoreError) -> Bool {
        guard try file.sources.contains(source.id) else { return true }
        guard let matches else {
            known = try file.items.known(of: source.id)
            self.matches = ItemMatcher.match(items.map(\.keys), with: known)
            return false
        }
        guard next < items.count else {
            try finish(file, matches)
            return true
        }
        // What did not change is passed over here, without a transaction.
        while next < items.count, isAsKnown(next, matches) { next += 1 }
        let end = min(next + Self.batch, items.count)
        guard next < end else { return false }
        let indices = next..<end
        var counts = outcome
        try file.transaction { () throws(StoreError) in
            for index in indices where !isAsKnown(index, matches) {
                try keep(index, matches[index], file, &counts)
            }
        }
        outcome = counts
        next = end
        return false
    }

    private func isAsKnown(_ index: Int, _ matches: [ItemMatcher.Match]) -> Bool {
        switch matches[index] {
        case .double: true
        case .new: false
        case .known(let row):
            known[row].contentHash == items[index].contentHash && known[row].listing == .listed
        }
    }

    private func keep(
        _ index: Int, _ match: ItemMatcher.Match, _ file: CatalogueFile, _ counts: inout Outcome
    ) throws(StoreError) {
        switch match {
        case .double: break
        case .new:
            _ = try file.items.insert(items[index], source: source.id, at: time)
            counts.added += 1
        case .known(let row):
            try file.items.update(known[row].id, items[index])
            counts.changed += 1
        }
    }

    private mutating func finish(_ file: CatalogueFile, _ matches: [ItemMatcher.Match]) throws(StoreError) {
        var isThere = Array(repeating: false, count: known.count)
        for case .known(let row) in matches { isThere[row] = true }
        let missing = known.indices.filter { !isThere[$0] && known[$0].listing == .listed }.map {
            known[$0].id
        }
        outcome.unlisted = missing.count
        try file.transaction { () throws(StoreError) in
            for id in missing { try file.items.set(id, .unlisted) }
            if outcome.changed > 0 { try file.locations.prune() }
            try file.sources.update(source)
        }
    }
}
