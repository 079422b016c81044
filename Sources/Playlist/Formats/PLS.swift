import Base

/// Reads PLS (`File1=`, `Title1=`, `Length1=`), and the `[Reference]` lists of Windows Media (`Ref1=`).
enum PLS {
    /// A number beyond this is no number of an entry.
    private static let highestNumber = 10_000_000

    /// The members by their numbers, at most `limit`; the count that a list gives is a hint that nobody needs.
    static func members(_ bytes: [UInt8], limit: Int) -> (members: [PlaylistMember], tooLong: Int) {
        var entries: [Int: PlaylistMember] = [:]
        var references = PlaylistMember([])
        var tooLong = 0
        PlaylistText.forEachLine(of: bytes) { line in
            guard let line else {
                tooLong += 1
                return true
            }
            guard let (key, number, value) = field(line), !value.isEmpty else { return true }
            if key == "ref" {
                // They are ways to one thing.
                if references.locations.count < Playlist.mostLocations { references.locations.append(value) }
                return true
            }
            var entry = entries[number] ?? PlaylistMember([])
            switch key {
            case "file": if entry.locations.isEmpty { entry.locations = [value] }
            case "title": entry.title = ShownText.line(value)
            case "length": entry.setLength(Double(value))
            default: return true
            }
            entries[number] = entry
            return entries.count <= limit + 1
        }
        let ordered = entries.sorted { $0.key < $1.key }.map(\.value).filter { !$0.locations.isEmpty }
        let all = references.locations.isEmpty ? ordered : [references] + ordered
        return (Array(all.prefix(limit)), tooLong)
    }

    /// Takes `File12 = value` apart; nil for any other line.
    private static func field(_ line: String) -> (key: String, number: Int, value: String)? {
        let bytes = line.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = bytes[..<equals].filter { $0 != 0x20 && $0 != 0x09 }
        guard let digits = name.firstIndex(where: { (0x30...0x39).contains($0) }), name.count <= 20,
            let number = Int(String(decoding: name[digits...], as: UTF8.self)), number <= highestNumber
        else { return nil }
        let key = String(decoding: name[..<digits], as: UTF8.self).lowercased()
        let value = bytes[bytes.index(after: equals)...].drop { $0 == 0x20 || $0 == 0x09 }
        return (key, number, String(Substring(value)))
    }
}
