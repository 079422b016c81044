import Base

/// What kind of playlist bytes are; told by the bytes, with name and media type as a hint for bare lists only.
package enum PlaylistFormat: String, Sendable, CaseIterable {
    case m3u = "M3U"
    /// An M3U that describes the pieces of one stream.
    case hls = "HLS"
    case pls = "PLS"
    case xspf = "XSPF"
    case asx = "ASX"
    /// A folder, as its server lists it.
    case webdav = "WebDAV"

    /// Bytes from the start that are enough to say that something is no playlist.
    package static let headBytes = 1024

    /// True when bytes can be the start of a playlist: text without control characters.
    package static func mayBegin(with bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(headBytes))
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        return !head.contains { ($0 < 9 || ($0 > 13 && $0 < 32 && $0 != 27) || $0 == 127) }
    }

    /// Tells the format of a whole playlist; nil when it is none.
    package init?(_ bytes: [UInt8], url: String, contentType: String?) {
        guard Self.mayBegin(with: bytes) else { return nil }
        let text = LegacyText.withoutMark(bytes).drop { $0 <= 0x20 }
        let head = Self.lowercased(text.prefix(4096))
        if head.first == UInt8(ascii: "<") {
            guard let format = Self.markup(head) else { return nil }
            self = format
        } else if let format = Self.plain(head) {
            self = format
        } else if Self.isBareList(bytes, isHinted: Self.isHinted(url: url, contentType: contentType)) {
            self = .m3u
        } else {
            return nil
        }
        if self == .m3u, Self.hasStreamTags(text) { self = .hls }
    }

    private static func plain(_ head: [UInt8]) -> PlaylistFormat? {
        if head.starts(with: "[playlist]".utf8) || head.starts(with: "[reference]".utf8) { return .pls }
        if head.starts(with: "file1".utf8) || head.starts(with: "numberofentries".utf8) { return .pls }
        if head.starts(with: "#extm3u".utf8) || head.starts(with: "#extinf:".utf8) { return .m3u }
        return contains(head, "\n#extinf:") || contains(head, "\r#extinf:") ? .m3u : nil
    }

    private static func markup(_ head: [UInt8]) -> PlaylistFormat? {
        if contains(head, "<asx") { return .asx }
        if contains(head, "<html") { return nil }
        if contains(head, "multistatus"), contains(head, "dav:") { return .webdav }
        return contains(head, "<playlist") || contains(head, ":playlist") ? .xspf : nil
    }

    /// True for lines that name things without a word of what they are: any text where name or type say that it is
    /// a list, else nothing but URLs.
    private static func isBareList(_ bytes: [UInt8], isHinted: Bool) -> Bool {
        var members = 0
        var isList = true
        PlaylistText.forEachLine(of: bytes) { line in
            guard let line, !line.hasPrefix("#") else { return true }
            members += 1
            let start = line.prefix(8).lowercased()
            let isURL = start.hasPrefix("http://") || start == "https://"
            isList = isHinted ? !line.hasPrefix("{") : isURL && !line.contains(" ")
            return isList && members < 1000
        }
        return isList && members > 0
    }

    private static func isHinted(url: String, contentType: String?) -> Bool {
        if let contentType, contentType.hasSuffix("mpegurl") || contentType.hasSuffix("mpeg-url") {
            return true
        }
        return MediaName.extension(of: url).map { MediaName.bareLists.contains($0) } ?? false
    }

    private static func hasStreamTags(_ text: ArraySlice<UInt8>) -> Bool {
        var start = text.startIndex
        let tag = "#EXT-X-".utf8
        while let mark = text[start...].firstIndex(of: UInt8(ascii: "#")) {
            let beginsLine = mark == text.startIndex || text[mark - 1] == 0x0A || text[mark - 1] == 0x0D
            if beginsLine, text[mark...].starts(with: tag) { return true }
            start = mark + 1
        }
        return false
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func contains(_ text: [UInt8], _ part: String) -> Bool {
        let part = Array(part.utf8)
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
