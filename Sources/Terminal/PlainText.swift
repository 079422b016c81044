package import Base

/// Text of others as a terminal may get it: nothing in it moves a cursor, colours or turns around what follows.
package enum PlainText {
    /// In one line: runs of blanks and control characters are one blank, what only steers the text is left out.
    package static func line(_ text: String) -> String {
        if isPlain(text) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !steers(scalar) {
            let isBlank = isControl(scalar) || scalar == " "
            if !isBlank { plain.append(scalar) } else if plain.last != " " { plain.append(" ") }
        }
        return String(plain).trimmingBlanks
    }

    /// The lines of a text of several, each plain; empty ones only between others.
    package static func paragraphs(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: true) { $0.isNewline }.map { line(String($0)) }
            .filter { !$0.isEmpty }
    }

    /// A text of JSON in one line; nil where it is none, or empty.
    package static func line(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        let plain = line(text)
        return plain.isEmpty ? nil : plain
    }

    /// Most text is ASCII without control characters: it stays as it is.
    private static func isPlain(_ text: String) -> Bool {
        var last: UInt8 = 0x20
        for byte in text.utf8 {
            guard (0x20..<0x7F).contains(byte), byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return last != 0x20 || text.isEmpty
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            || (0x2028...0x2029).contains(scalar.value)
    }

    /// Marks and overrides of direction, which would reach beyond their own text.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
