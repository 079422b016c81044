/// What a URL's or path's name tells of it: enough for a first guess, never for a judgement.
package enum MediaName {
    /// Names of lists that may hold nothing but locations.
    package static let bareLists: Set<String> = ["m3u", "m3u8", "ram"]
    private static let lists = bareLists.union(["pls", "xspf", "asx", "wax", "wvx"])

    /// Endings of names of sound, for whoever is told no type or a wrong one.
    private static let sounds: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "ape", "au", "caf", "dff", "dsf", "flac", "m4a", "m4b",
        "m4r",
        "mka",
        "mp1", "mp2", "mp3", "mpa", "mpc", "mpga", "oga", "ogg", "opus", "spx", "tta", "wav", "wave", "weba",
        "wma",
        "wv",
    ]

    /// True when it ends like the name of sound.
    package static func isSound(_ url: String) -> Bool {
        self.extension(of: url).map { sounds.contains($0) } ?? false
    }

    /// True when it ends like a playlist's.
    package static func isPlaylist(_ url: String) -> Bool {
        self.extension(of: url).map { lists.contains($0) } ?? false
    }

    /// What follows the last dot of the path's last part, in lower case; nil where there is none.
    package static func `extension`(of url: String) -> String? {
        let name = lastPart(of: url).utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return name[name.index(after: dot)...].count > 8
            ? nil : Substring(name[name.index(after: dot)...]).lowercased()
    }

    /// The last part of the path, without query and fragment, as it is written.
    package static func lastPart(of url: String) -> Substring {
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
        guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { return Substring(rest) }
        return Substring(rest[rest.index(after: slash)...])
    }
}
