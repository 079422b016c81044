import Base

/// Text of tags as people may see it.
enum TagText {
    /// Longer values are cut.
    static let byteLimit = 16 << 10

    /// Text from bytes that should be UTF-8 and end at a NUL: repaired, one line, without space around it.
    static func string(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes.prefix { $0 != 0 }.prefix(byteLimit)), as: UTF8.self)
        return line(text)
    }

    /// Text from bytes in ISO 8859-1.
    static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes.prefix(while: { $0 != 0 }) { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return line(text)
    }

    /// Text from old tags: UTF-8 where it is valid, else ISO 8859-1.
    static func guessed(_ bytes: some Sequence<UInt8>) -> String {
        let array = Array(bytes)
        let repaired = string(array)
        return repaired.unicodeScalars.contains("\u{FFFD}") ? latin1(array) : repaired
    }

    /// Text from UTF-16; the byte order mark decides before `isBigEndian`.
    static func utf16(_ bytes: some Collection<UInt8>, isBigEndian: Bool) -> String {
        var array = Array(bytes)
        var isBig = isBigEndian
        if array.starts(with: [0xFE, 0xFF]) || array.starts(with: [0xFF, 0xFE]) {
            isBig = array[0] == 0xFE
            array.removeFirst(2)
        }
        let units = stride(from: 0, to: array.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(array[index]), UInt16(array[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return line(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }

    /// The media type of a picture by its first bytes, or what the tag says.
    static func mediaType(of bytes: [UInt8], told: String) -> String {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return "image/webp"
        }
        let type = told.lowercased()
        return type.contains("/") ? type : type.isEmpty ? "application/octet-stream" : "image/" + type
    }

    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 32 || (127..<160).contains(scalar.value)
            let isBreak = scalar.value == 0x2028 || scalar.value == 0x2029
            line.append(isControl || isBreak ? " " : scalar)
        }
        let start = line.firstIndex { $0 != " " } ?? line.endIndex
        let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? start
        return String(line[start..<end])
    }
}
