import Base

/// The bytes of a playlist as lines of text: any mark, any line end, any of the usual charsets.
enum PlaylistText {
    /// A line beyond this is no URL and no title, in bytes.
    static let longestLine = 16_384

    /// Calls `body` for each line that is not blank, without white space around it; nil stands for one that is too
    /// long. It returns false to end.
    static func forEachLine(of bytes: [UInt8], _ body: (String?) -> Bool) {
        let bytes = withoutMark(bytes)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            let line = trimmed(bytes[start..<end])
            if line.count > longestLine {
                if !body(nil) { return }
            } else if !line.isEmpty, !body(LegacyText.decoded(line)) {
                return
            }
            start = end + 1
        }
    }

    /// The whole as one text.
    static func whole(_ bytes: [UInt8]) -> String { LegacyText.decoded(withoutMark(bytes)) }

    /// The bytes as UTF-8 or Latin-1 without a byte order mark; UTF-16 is converted.
    static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return bytes.dropFirst(3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf8(ofUTF16: bytes, high: 1)[...] }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf8(ofUTF16: bytes, high: 0)[...] }
        return bytes[...]
    }

    private static func utf8(ofUTF16 bytes: [UInt8], high: Int) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 || last == 0 { bytes.removeLast() }
        return bytes
    }

    /// A title as it is shown: nil when nothing is left; white space and control characters become one space.
    static func title(_ text: some StringProtocol) -> String? {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var scalars = 0
        for scalar in text.unicodeScalars {
            // What is longer is no title any more.
            scalars += 1
            if scalars > 500 { break }
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
