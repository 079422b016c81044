/// How many columns of a terminal a text takes, as wcwidth(3) counts them, whatever the locale.
package enum TextWidth {
    /// The columns of a text.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    /// The text cut to so many columns, with `…` where something is missing.
    package static func clipped(_ text: String, to columns: Int) -> String {
        if columns <= 0 { return "" }
        if of(text) <= columns { return text }
        var width = 0
        var kept = ""
        for character in text {
            let next = of(String(character))
            if width + next > columns - 1 { break }
            width += next
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text cut or filled with blanks to exactly so many columns.
    package static func fitted(_ text: String, to columns: Int, right: Bool = false) -> String {
        let clipped = clipped(text, to: columns)
        let blanks = String(repeating: " ", count: max(0, columns - of(clipped)))
        return right ? blanks + clipped : clipped + blanks
    }

    /// The text in lines of at most so many columns, broken between words where that can be.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let gap = line.isEmpty ? 0 : 1
            if of(line) + gap + of(word) <= columns {
                line += (gap == 0 ? "" : " ") + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for part in pieces(String(word), columns) {
                if !line.isEmpty { lines.append(line) }
                line = part
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// A word in pieces of at most so many columns.
    private static func pieces(_ word: String, _ columns: Int) -> [String] {
        if of(word) <= columns { return [word] }
        var pieces: [String] = []
        var piece = ""
        for character in word {
            if !piece.isEmpty, of(piece) + of(String(character)) > columns {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    /// Source: https://www.unicode.org/reports/tr11/ (W and F), in whole blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6,
            0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
