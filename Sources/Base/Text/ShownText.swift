/// Text of others as it is shown.
package enum ShownText {
    /// What is longer is no title any more, in characters.
    package static let longestTitle = 500

    /// Text in one line, as titles are shown: nil when nothing is left; runs of white space and control characters
    /// become one space.
    package static func line(_ text: some StringProtocol, longest: Int = longestTitle) -> String? {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var scalars = 0
        for scalar in text.unicodeScalars {
            scalars += 1
            if scalars > longest { break }
            let isBlank = scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value)
            if !isBlank {
                word.append(scalar)
            } else if !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension String {
    /// Without white space at both ends.
    package var trimmingBlanks: String {
        let bytes = utf8
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        guard start < bytes.endIndex, let last = bytes.lastIndex(where: { $0 > 0x20 }) else { return "" }
        return String(Substring(bytes[start...last]))
    }
}
