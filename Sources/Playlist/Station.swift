import Base

/// A station that a list names by several URLs.
enum Station {
    /// One member with mirrors, where a PLS or M3U names one station: all endless, with no title or the same one
    /// but for a counter; nil where it does not.
    static func folded(_ members: [Playlist.Member], _ format: PlaylistFormat) -> Playlist.Member? {
        guard format == .pls || format == .m3u, members.count > 1, var station = members.first else {
            return nil
        }
        let title = station.title.flatMap(withoutCounter)
        let isOne = members.allSatisfy { member in
            member.isEndless && member.url.utf8.first != UInt8(ascii: "/")
                && member.title.flatMap(withoutCounter) == title && !MediaName.isPlaylist(member.url)
        }
        guard isOne else { return nil }
        var urls: [String] = []
        for member in members where urls.count < Playlist.mostLocations && !urls.contains(member.url) {
            urls.append(member.url)
        }
        station.mirrors = Array(urls.dropFirst())
        station.title = title
        return station
    }

    /// A title without a counter such as Shoutcast's `(#1 - 12/500)`; nil when it is nothing else.
    static func withoutCounter(_ title: String) -> String? {
        var kept = ""
        var rest = Substring(title)
        while let open = rest.range(ofCounterStart: "(#") {
            guard let close = rest[open...].firstIndex(of: ")"),
                rest[open..<close].dropFirst(2).first?.isNumber == true
            else { break }
            kept += rest[..<open]
            rest = rest[rest.index(after: close)...]
        }
        return ShownText.line(kept + rest)
    }
}

extension Substring {
    /// Where a text of two characters begins; nil where it does not come.
    fileprivate func range(ofCounterStart text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
