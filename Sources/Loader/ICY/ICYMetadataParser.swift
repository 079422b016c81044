import Base

/// Reads ICY metadata blocks; remembers the last one, since the same again is no news.
struct ICYMetadataParser {
    /// The charset of blocks that are not UTF-8.
    let charset: Charset
    private var last: [TimedMetadata.Field] = []

    init(charset: Charset = .latin1) { self.charset = charset }

    /// The fields of a block that says something new; an empty value means cleared. Nil when nothing changed.
    mutating func parse(_ block: [UInt8]) -> [TimedMetadata.Field]? {
        let fields = Self.fields(block, charset)
        guard !fields.isEmpty, fields != last else { return nil }
        let saysNothing = last.isEmpty && fields.allSatisfy(\.value.isEmpty)
        if !saysNothing { last = fields }
        return saysNothing ? nil : fields
    }

    /// The fields that clear what was told before; nil when that was nothing.
    mutating func clear() -> [TimedMetadata.Field]? {
        guard last.contains(where: { !$0.value.isEmpty }) else { return nil }
        last = []
        return [TimedMetadata.Field("StreamTitle", "")]
    }

    // MARK: Reading

    /// The apostrophe, and what a few write in its place.
    private static let quotes = Array("'\"".utf8)
    private static let semicolon = UInt8(ascii: ";")
    /// More fields than any station sends; a bound for hostile blocks.
    private static let mostFields = 32

    /// The fields of a block as they stand there, `key='value';` each; none when it is empty or unreadable.
    static func fields(_ block: [UInt8], _ charset: Charset = .latin1) -> [TimedMetadata.Field] {
        // What follows a NUL is left over from a longer block before.
        var rest = block.prefix { $0 != 0 }
        var fields: [TimedMetadata.Field] = []
        while fields.count < mostFields {
            rest = rest.drop { $0 == semicolon || $0 == 0x20 || quotes.contains($0) }
            guard let key = keyLength(rest) else { break }
            let name = String(decoding: rest.prefix(key), as: UTF8.self)
            rest = rest.dropFirst(key + 1)
            fields.append(TimedMetadata.Field(canonical(name), charset.shown(takeValue(&rest))))
        }
        if let title = fields.first(where: { $0.name == "StreamTitle" })?.value,
            let text = attribute("text", in: title)
        {
            fields.append(TimedMetadata.Field("text", text))
        }
        return fields
    }

    /// Takes the value at the start of `rest`: up to `';` where a key or the end follows, since titles hold
    /// apostrophes and semicolons of their own; without terminators all that is left.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = rest.first.flatMap { quotes.contains($0) ? $0 : nil }
        if quote != nil { rest.removeFirst() }
        var index = rest.startIndex
        while let end = rest[index...].firstIndex(of: semicolon) {
            let isClosed = quote == nil || (end > rest.startIndex && rest[end - 1] == quote)
            let after = rest[(end + 1)...].drop { $0 == 0x20 }
            if isClosed, after.isEmpty || keyLength(after) != nil {
                let value = rest[..<(quote != nil ? end - 1 : end)]
                rest = after
                return value
            }
            index = end + 1
        }
        var value = rest
        if value.last == semicolon { value.removeLast() }
        if let quote, value.last == quote { value.removeLast() }
        rest = []
        return value
    }

    /// The length of the key at the start, when one is there: a letter, letters and digits, an equals sign.
    private static func keyLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first, isLetter(first) else { return nil }
        let name = bytes.prefix(64).prefix {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f
        }
        guard bytes.dropFirst(name.count).first == UInt8(ascii: "=") else { return nil }
        return name.count
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    private static func canonical(_ name: String) -> String {
        switch name.lowercased() {
        case "streamtitle": "StreamTitle"
        case "streamurl": "StreamUrl"
        default: name
        }
    }

    /// The value of `name="…"` in a title, as some stations write it; nil when it is not there.
    static func attribute(_ name: String, in title: String) -> String? {
        let opening = name + "=\""
        var rest = title[...]
        while !rest.isEmpty {
            if rest.hasPrefix(opening) {
                let value = rest.dropFirst(opening.count)
                return value.firstIndex(of: "\"").map { String(value[..<$0]) }
            }
            rest = rest.drop { !$0.isWhitespace }.drop { $0.isWhitespace }
        }
        return nil
    }
}
