import Base

/// Reads M3U and M3U8: a location a line, with what is known of it in comments before it.
enum M3U {
    /// The members in order, at most `limit`, and how many lines were too long.
    static func members(_ bytes: [UInt8], limit: Int) -> (members: [PlaylistMember], tooLong: Int) {
        var members: [PlaylistMember] = []
        var next = PlaylistMember([])
        var tooLong = 0
        PlaylistText.forEachLine(of: bytes) { line in
            if let line, line.utf8.first == UInt8(ascii: "#") {
                note(line, &next)
                return true
            }
            if let line {
                next.locations = [line]
                members.append(next)
            } else {
                tooLong += 1
            }
            next = PlaylistMember([])
            return members.count < limit
        }
        return (members, tooLong)
    }

    private static func note(_ line: String, _ member: inout PlaylistMember) {
        if let rest = value(of: "#EXTINF:", line) {
            let (seconds, title) = information(rest)
            member.setLength(seconds)
            member.title = title
        } else if let rest = value(of: "#EXTART:", line) {
            member.artist = ShownText.line(Substring(rest))
        } else if let rest = value(of: "#EXTALB:", line) {
            member.album = ShownText.line(Substring(rest))
        }
    }

    private static func value(of tag: String, _ line: String) -> Substring.UTF8View? {
        let bytes = line.utf8
        guard bytes.count >= tag.utf8.count else { return nil }
        // Tags are ASCII; some lists write them in small letters.
        for (byte, wanted) in zip(bytes, tag.utf8) where byte & 0xDF != wanted & 0xDF { return nil }
        return bytes.dropFirst(tag.utf8.count)
    }

    /// Reads `length attributes,title`: the comma that ends the attributes is the first one outside quotes.
    private static func information(_ rest: Substring.UTF8View) -> (seconds: Double?, title: String?) {
        let rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        let number = rest.prefix { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
        let seconds = Double(Substring(number))
        let tail = rest[number.endIndex...]
        guard let first = tail.firstIndex(of: UInt8(ascii: ",")) else { return (seconds, nil) }
        var comma: Substring.UTF8View.Index?
        var isQuoted = false
        for index in tail.indices {
            if tail[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if tail[index] == UInt8(ascii: ","), !isQuoted {
                comma = index
                break
            }
        }
        // A quote that never closes is no quote.
        return (seconds, ShownText.line(Substring(tail[tail.index(after: comma ?? first)...])))
    }
}
