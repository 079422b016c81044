import Base

/// XML as UTF-8, without what stands before its first tag: marks, blanks, its declaration.
enum XMLBytes {
    /// Bytes beyond this are not converted from another charset, which would take four times as many.
    private static let mostConverted = 16 << 20
    /// No declaration is longer, in bytes.
    private static let longestDeclaration = 1024

    /// The document as UTF-8. What is UTF-8 stays that, whatever it says of itself; else its declaration is
    /// believed, and without one it is windows-1252.
    static func utf8(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let document = LegacyText.withoutMark(bytes).drop { $0 <= 0x20 }
        guard document.starts(with: "<?xml".utf8),
            let end = document.prefix(longestDeclaration).firstIndex(of: UInt8(ascii: ">"))
        else { return converted(document, from: nil) }
        return converted(document[(end + 1)...], from: charset(of: document[..<end]))
    }

    private static func converted(_ bytes: ArraySlice<UInt8>, from charset: String?) -> ArraySlice<UInt8> {
        let isUTF8 = (try? UTF8Span(validating: bytes.span)) != nil
        if isUTF8 { return bytes }
        if let charset, ["utf-8", "utf8"].contains(charset) {
            return Array(String(decoding: bytes, as: UTF8.self).utf8)[...]
        }
        if let charset, bytes.count <= mostConverted,
            let text = Charset(name: charset)?.text(of: Array(bytes))
        {
            return Array(text.utf8)[...]
        }
        return Array(LegacyText.windows1252(bytes).utf8)[...]
    }

    /// What a declaration says of its encoding, in lower case.
    private static func charset(of declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        let words = text.split(whereSeparator: { "=\"' \t\r\n?".contains($0) })
        return words.firstIndex(of: "encoding").flatMap { words.dropFirst($0 + 1).first?.lowercased() }
    }
}
