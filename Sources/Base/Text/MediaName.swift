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
        let bytes = url.utf8.span
        let name = lastPart(of: bytes)
        var dot = name.upperBound - 1
        while dot > name.lowerBound, bytes[dot] != UInt8(ascii: ".") { dot -= 1 }
        guard dot > name.lowerBound, name.upperBound - dot <= 9 else { return nil }
        let start = url.utf8.index(url.startIndex, offsetBy: dot + 1)
        let end = url.utf8.index(url.startIndex, offsetBy: name.upperBound)
        return Substring(url.utf8[start..<end]).lowercased()
    }

    /// The last part of the path, without query and fragment, as it is written.
    package static func lastPart(of url: String) -> Substring {
        let part = lastPart(of: url.utf8.span)
        let start = url.utf8.index(url.startIndex, offsetBy: part.lowerBound)
        return Substring(url.utf8[start..<url.utf8.index(start, offsetBy: part.count)])
    }

    private static func lastPart(of bytes: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = bytes.count
        if bytes.isEmpty || bytes[0] != UInt8(ascii: "/") {
            start = startOfPath(bytes)
            end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
                end += 1
            }
        }
        var slash = end - 1
        while slash >= start, bytes[slash] != UInt8(ascii: "/") { slash -= 1 }
        return max(start, slash + 1)..<end
    }

    /// Where a URL's path begins: the host is no name of a file.
    private static func startOfPath(_ bytes: Span<UInt8>) -> Int {
        let slash = UInt8(ascii: "/")
        var start = 0
        while start < bytes.count, bytes[start] != UInt8(ascii: ":") { start += 1 }
        if start == bytes.count { return 0 }
        start += 1
        guard start + 1 < bytes.count, bytes[start] == slash, bytes[start + 1] == slash else { return start }
        start += 2
        while start < bytes.count, bytes[start] != slash { start += 1 }
        return start
    }
}
