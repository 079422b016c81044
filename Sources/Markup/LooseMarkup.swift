/// Reads markup as it comes: tags in any letter case, attributes with or without quotes, raw `&`, nothing closed.
///
/// Names are told in lower case, a prefix in place of the namespace; never fails, and costs time in proportion to the text.
package enum LooseMarkup {
    /// Reads a text and tells the handler of its parts; elements need not nest.
    package static func read(_ text: String, into handler: any MarkupHandler) {
        var scanner = MarkupScanner(text)
        scanner.read(into: handler)
    }

    /// The text with the entities of HTML and numbered ones decoded; any other `&` stays.
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let text = Entity.text(
                    named: String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self))
            {
                result += text.utf8
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Walks through the bytes of markup once.
private struct MarkupScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isNext(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    mutating func read(into handler: any MarkupHandler) {
        while index < bytes.count {
            if isNext("<!--") {
                skip(past: "-->")
            } else if isNext("<![CDATA[") {
                let start = index + 9
                skip(past: "]]>")
                let end = max(start, index - 3)
                handler.text(String(decoding: bytes[min(start, end)..<min(end, bytes.count)], as: UTF8.self))
            } else if isNext("<!") || isNext("<?") {
                skip(past: ">")
            } else if bytes[index] == UInt8(ascii: "<"), let next = bytes.dropFirst(index + 1).first,
                Self.isLetter(next) || next == UInt8(ascii: "/")
            {
                readTag(into: handler)
            } else {
                readText(into: handler)
            }
        }
    }

    /// Goes behind a text, or to the end where it does not come.
    private mutating func skip(past text: String) {
        let wanted = Array(text.utf8)
        while index < bytes.count, !bytes[index...].starts(with: wanted) { index += 1 }
        index = min(bytes.count, index + wanted.count)
    }

    private mutating func readText(into handler: any MarkupHandler) {
        let start = index
        index += 1
        while let byte = current, byte != UInt8(ascii: "<") { index += 1 }
        handler.text(LooseMarkup.decoded(bytes[start..<index]))
    }

    private mutating func readTag(into handler: any MarkupHandler) {
        index += 1
        let isEnd = current == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let name = readName()
        var attributes: [MarkupAttribute] = []
        var isEmpty = false
        while let byte = current, byte != UInt8(ascii: ">") {
            // A tag that is not closed ends where the next begins.
            if byte == UInt8(ascii: "<") { break }
            isEmpty = byte == UInt8(ascii: "/")
            if byte <= 0x20 || isEmpty {
                index += 1
            } else if let attribute = readAttribute(), attributes.count < 64 {
                attributes.append(attribute)
            }
        }
        if current == UInt8(ascii: ">") { index += 1 }
        guard !name.local.isEmpty else { return }
        if !isEnd { handler.elementStarted(name, attributes) }
        if isEnd || isEmpty { handler.elementEnded(name) }
    }

    private mutating func readAttribute() -> MarkupAttribute? {
        let before = index
        let name = readName()
        if index == before { index += 1 }
        skipBlanks()
        guard current == UInt8(ascii: "=") else { return nil }
        index += 1
        skipBlanks()
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = index
            while let byte = current, byte > 0x20, byte != UInt8(ascii: ">") { index += 1 }
            return MarkupAttribute(name: name, value: LooseMarkup.decoded(bytes[start..<index]))
        }
        let start = index + 1
        let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
        index = min(bytes.count, end + 1)
        return MarkupAttribute(name: name, value: LooseMarkup.decoded(bytes[start..<end]))
    }

    private mutating func readName() -> MarkupName {
        let start = index
        while let byte = current, byte > 0x20, !"=/><\"'".utf8.contains(byte) { index += 1 }
        let name = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        guard let colon = name.lastIndex(of: ":") else { return MarkupName(local: name) }
        return MarkupName(namespace: String(name[..<colon]), local: String(name[name.index(after: colon)...]))
    }

    private mutating func skipBlanks() {
        while let byte = current, byte <= 0x20 { index += 1 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
