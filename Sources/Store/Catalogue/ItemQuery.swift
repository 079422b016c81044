package import Base

/// Which items are listed, in which order.
package struct ItemQuery: Equatable, Sendable {
    /// What they are ordered by.
    package enum Order: String, Sendable, CaseIterable {
        case title, date, album, creator, duration, added, heard, rating, played
    }

    package var text: SearchText?
    package var kind: PublishedItem.Kind?
    /// A source, and those that it named.
    package var source: Int64?
    package var isAvailable: Bool?
    package var isUnheard: Bool?
    package var order = Order.title
    package var isDescending = false
    package var offset: Int64 = 0
    package var limit: Int64 = 100

    package init() {}

    // MARK: SQL

    /// Gives the ids of all that match, in order.
    var statement: (sql: String, values: [SQLValue]) {
        var values: [SQLValue] = []
        let words = text?.words ?? []
        var tables = "items i"
        var conditions = ["i.listing < 2"]
        if let match = text?.match {
            tables = "search s CROSS JOIN texts t ON t.id = s.rowid CROSS JOIN items i ON i.id = s.rowid"
            conditions.append("s.search MATCH ?")
            values.append(.text(match))
        } else if !words.isEmpty {
            tables = "texts t CROSS JOIN items i ON i.id = t.id"
        }
        for word in words {
            conditions.append("instr(t.folded, ?) > 0")
            values.append(.text(word))
        }
        addFilters(to: &conditions, &values)
        return (
            "SELECT i.id FROM \(tables) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(sorting)",
            values
        )
    }

    private func addFilters(to conditions: inout [String], _ values: inout [SQLValue]) {
        if let kind {
            conditions.append("i.kind = ?")
            values.append(.integer(kind.number))
        }
        if let source {
            conditions.append("(i.source = ? OR i.source IN (SELECT id FROM sources WHERE parent = ?))")
            values += [.integer(source), .integer(source)]
        }
        if let isAvailable {
            conditions.append("i.available = ?")
            values.append(.flag(isAvailable))
        }
        if let isUnheard {
            conditions.append("i.heard = ?")
            values.append(.flag(!isUnheard))
        }
    }

    /// What has no value comes last, either way; equal ones by title and id.
    private var sorting: String {
        switch order {
        case .title: "i.title_key\(direction), i.id"
        case .added: "i.id\(direction)"
        case .album: byText("album", then: "i.number\(direction), ")
        case .creator: byText("creators")
        case .heard: byValue("last_heard")
        case .played: byValue("play_count")
        case .date, .duration, .rating: byValue(order.rawValue)
        }
    }

    /// As people look it up: without regard to case and accents.
    private func byText(_ column: String, then next: String = "") -> String {
        "i.\(column) IS NULL, fold(i.\(column))\(direction), \(next)i.title_key, i.id"
    }

    private func byValue(_ column: String) -> String {
        "i.\(column) IS NULL, i.\(column)\(direction), i.title_key, i.id"
    }

    private var direction: String { isDescending ? " DESC" : "" }
}
