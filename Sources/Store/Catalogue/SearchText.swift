/// What somebody searches for: words that each must be part of an item's text, and phrases in quotes. Pure.
package struct SearchText: Equatable, Sendable {
    private static let mostWords = 16

    /// Folded; none empty.
    let words: [String]

    /// Reads a query.
    package init(_ query: String) {
        var words: [String] = []
        for (index, part) in query.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            let folded = FoldedText.folded(part)
            if index.isMultiple(of: 2) {
                words += folded.split(separator: " ").map(String.init)
            } else if !folded.isEmpty {
                words.append(folded)
            }
        }
        self.words = Array(words.prefix(Self.mostWords))
    }

    /// The question to the index: trigrams that all must be there; nil when no word has one.
    var match: String? {
        let trigrams = words.flatMap { Self.trigrams($0) }
        guard !trigrams.isEmpty else { return nil }
        return trigrams.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: " AND ")
    }

    /// Trigrams that cover a word; overlapping ones would only be more to read.
    private static func trigrams(_ word: String) -> [String] {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count >= 3 else { return [] }
        var starts = Array(stride(from: 0, through: scalars.count - 3, by: 3))
        if starts.last != scalars.count - 3 { starts.append(scalars.count - 3) }
        return starts.map { start in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<start + 3])
            return String(text)
        }
    }
}
