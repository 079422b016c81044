import Base

/// Paths of local files, which are bytes, as the text by which they are kept and opened.
enum LocalPath {
    /// The path itself where it is UTF-8 without control characters, else a file URL.
    static func text(_ path: [UInt8]) -> String {
        if let text = String(validating: path, as: UTF8.self),
            !path.contains(where: { $0 < 0x20 || $0 == 0x7F })
        {
            return text
        }
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path {
            if isPlain(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return "file://" + String(decoding: encoded, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/-._~!$&'()+,;=:@".utf8.contains(byte)
        }
    }

    /// The bytes that such a text stands for; nil where it names something else.
    static func bytes(_ text: String) -> [UInt8]? {
        if text.utf8.first == UInt8(ascii: "/") { return Array(text.utf8) }
        guard text.hasPrefix("file:///") else { return nil }
        return PercentEncoding.decoded(text.utf8.dropFirst("file://".utf8.count))
    }
}
