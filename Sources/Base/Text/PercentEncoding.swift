/// Percent-encoding of URLs (RFC 3986, section 2.1). Pure; any thread.
package enum PercentEncoding {
    /// The bytes with every valid `%XX` decoded; anything else stays as it is.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The text decoded, as UTF-8; what is none becomes U+FFFD.
    package static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: decoded(text.utf8), as: UTF8.self)
    }

    /// The text decoded, as lists write their names: Latin-1 where the result is no UTF-8.
    package static func decodedText(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return LegacyText.decoded(decoded(text.utf8))
    }

    /// The text with the bytes encoded that no URL may hold: spaces, quotes, brackets, what is not ASCII.
    package static func repaired(_ text: some StringProtocol) -> String { repaired(text.utf8) }

    /// The same of bytes that need not be UTF-8.
    package static func repaired(_ bytes: some Sequence<UInt8>) -> String {
        encoded(bytes) { $0 > 0x20 && $0 < 0x7f && !#""<>\^`{|}"#.utf8.contains($0) }
    }

    /// The bytes encoded but for letters, digits and those of `plain`, which is ASCII.
    package static func encoded(_ bytes: some Sequence<UInt8>, but plain: String = "") -> String {
        encoded(bytes) { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
            default: plain.utf8.contains(byte)
            }
        }
    }

    private static func encoded(_ bytes: some Sequence<UInt8>, _ isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
