/// Text of unknown origin: UTF-8 where it is valid, else windows-1252, which is Latin-1 with letters in place of
/// control characters.
package enum LegacyText {
    /// The text of bytes; never fails.
    package static func decoded(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
    }

    /// The text of bytes that are known not to be UTF-8.
    package static func windows1252(_ bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let isExtra = (0x80...0x9f).contains(byte)
            scalars.append(isExtra ? extras[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(scalars)
    }

    /// The bytes 80 to 9F. Source: https://encoding.spec.whatwg.org/index-windows-1252.txt
    private static let extras = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)

    /// The bytes as UTF-8 or Latin-1 without a byte order mark; UTF-16 is converted.
    package static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
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
}
