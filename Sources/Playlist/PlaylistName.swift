/// What a URL's name tells of it: enough for a first guess, never for a judgement.
package enum PlaylistName {
    /// Names of lists that may hold nothing but locations.
    static let bare: Set<String> = ["m3u", "m3u8", "ram"]
    private static let all = bare.union(["pls", "xspf", "asx", "wax", "wvx"])

    /// True when a URL or path ends like a playlist's.
    package static func isPlaylist(_ url: String) -> Bool {
        self.extension(of: url).map { all.contains($0) } ?? false
    }

    /// What follows the last dot of the path's last part, in lower case; nil where there is none.
    static func `extension`(of url: String) -> String? {
        let name = lastPart(of: url).utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return Substring(name[name.index(after: dot)...]).lowercased()
    }

    /// The file's name as people know it, decoded; nil where the path has none.
    package static func fileName(of url: String) -> String? {
        let part = lastPart(of: url)
        let isURL = url.utf8.first != UInt8(ascii: "/")
        return PlaylistText.title(isURL ? PercentText.decoded(part) : part)
    }

    /// The last part of the path, without query and fragment.
    private static func lastPart(of url: String) -> String {
        var rest = url.utf8[...]
        if rest.first != UInt8(ascii: "/") {
            if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
                rest = rest[rest.index(after: colon)...]
                // The host is no name of a file.
                if rest.starts(with: "//".utf8) {
                    rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
                }
            }
            rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        }
        guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { return String(Substring(rest)) }
        return String(Substring(rest[rest.index(after: slash)...]))
    }
}
