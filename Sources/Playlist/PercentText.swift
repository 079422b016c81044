import Base

/// Percent-encoding as playlists use it (RFC 3986, section 2.1).
enum PercentText {
    /// Every valid `%XX` decoded, all else as it is; Latin-1 where the result is no UTF-8.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return LegacyText.decoded(result)
    }

    /// The text with what no URL may hold encoded: spaces, quotes, control characters, what is not ASCII.
    static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: isOdd) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isOdd(byte) {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isOdd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || #""<>\^`{|}"#.utf8.contains(byte)
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
