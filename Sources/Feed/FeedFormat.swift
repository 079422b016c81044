import Base

/// What kind of document bytes are, told by their start.
enum FeedFormat: Equatable {
    /// RSS or Atom.
    case feed
    /// OPML.
    case outline
    case propertyList
    case json

    /// Bytes that are looked at.
    private static let headBytes = 8192

    /// Nil when they are none of these.
    init?(_ bytes: [UInt8]) {
        // Each character of UTF-16 becomes one of the text, so that twice the bytes are looked at.
        let head = LegacyText.withoutMark(Array(bytes.prefix(Self.headBytes))).drop { $0 <= 0x20 }
        switch head.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // `[playlist]` is a list of another kind.
            let next = head.dropFirst().first { $0 > 0x20 } ?? UInt8(ascii: "]")
            guard "{}[]\"".utf8.contains(next) else { return nil }
            self = .json
        case UInt8(ascii: "<"):
            guard let format = Self.markup(head) else { return nil }
            self = format
        default: return nil
        }
    }

    private static func markup(_ head: ArraySlice<UInt8>) -> FeedFormat? {
        switch root(head) {
        case "rss", "rdf", "feed", "channel": .feed
        case "opml": .outline
        case "plist": .propertyList
        default: nil
        }
    }

    /// The first element's name in lower case, without a prefix.
    private static func root(_ head: ArraySlice<UInt8>) -> String? {
        var rest = head
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.indices.first(where: { rest[$0...].starts(with: "-->".utf8) }) else {
                    return nil
                }
                rest = rest[end...]
            } else if rest.first != UInt8(ascii: "?"), rest.first != UInt8(ascii: "!") {
                let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
                return String(decoding: name, as: UTF8.self).lowercased().split(separator: ":").last.map(
                    String.init)
            }
        }
        return nil
    }
}
