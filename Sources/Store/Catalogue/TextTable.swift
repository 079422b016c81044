/// The folded text of what is shown, and its index. Catalogue thread; searching also elsewhere.
final class TextTable {
    /// Longer texts are cut: nobody searches the end of a transcript by its summary.
    private static let longest = 4_096

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Makes an item's text found.
    func insert(_ id: Int64, _ folded: String) throws(StoreError) {
        try database.run("INSERT INTO texts (id, folded) VALUES (?, ?)", .integer(id), .text(folded))
        try database.run("INSERT INTO search (rowid, folded) VALUES (?, ?)", .integer(id), .text(folded))
    }

    /// Makes an item's text found no more; nothing where it is not there.
    func remove(_ id: Int64) throws(StoreError) {
        guard let old = try text(id) else { return }
        // The index holds no text: what is to be taken out of it must be told.
        try database.run(
            "INSERT INTO search (search, rowid, folded) VALUES ('delete', ?, ?)", .integer(id), .text(old))
        try database.run("DELETE FROM texts WHERE id = ?", .integer(id))
    }

    /// Puts another text in the place of an item's.
    func update(_ id: Int64, _ folded: String) throws(StoreError) {
        if try text(id) == folded { return }
        try remove(id)
        try insert(id, folded)
    }

    private func text(_ id: Int64) throws(StoreError) -> String? {
        var found: String?
        try database.rows("SELECT folded FROM texts WHERE id = ?", [.integer(id)]) { found = $0.text(0) }
        return found
    }

    /// What of an item is searched: fields are lines, so that no word reaches from one into the next.
    static func folded(_ fields: [String?]) -> String {
        let text = fields.compactMap { $0 }.map { FoldedText.folded($0) }.joined(separator: "\n")
        guard text.utf8.count > longest else { return text }
        return String(decoding: text.utf8.prefix(longest), as: UTF8.self)
    }
}
