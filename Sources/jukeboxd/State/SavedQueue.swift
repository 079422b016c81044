import Base
import Player
import Playlist

/// A queue as a playlist file: M3U in UTF-8 (M3U8), which every player reads. What M3U cannot say stands in
/// comments of our own. Headers are never in it.
enum SavedQueue {
    /// Counts the entries whose headers are not in the file.
    private static let withoutHeaders = "#JUKEBOXD-WITHOUT-HEADERS:"
    /// Another URL of the station that follows.
    private static let mirror = "#JUKEBOXD-MIRROR:"

    /// The longest name of a saved queue, in characters.
    private static let longestName = 64

    /// Refuses what is no name: 1 to 64 characters without `/` and NUL, not beginning with a dot.
    static func check(_ name: String) throws(CommandFailure) {
        let isRight =
            (1...longestName).contains(name.count) && name.utf8.count <= 240 && !name.hasPrefix(".")
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
        if isRight { return }
        throw CommandFailure(
            .invalidParams,
            "The name must have 1 to \(longestName) characters, none of them a / or a control character, "
                + "and not begin with a dot.")
    }

    /// How many entries have headers, which a file must not hold.
    static func headerCount(_ entries: [QueueEntry]) -> Int { entries.count { !$0.headers.isEmpty } }

    /// The file's text.
    static func write(_ entries: [QueueEntry]) -> [UInt8] {
        var text = "#EXTM3U\n"
        let count = headerCount(entries)
        if count > 0 { text += "\(withoutHeaders)\(count)\n" }
        for entry in entries {
            let seconds = entry.duration.map { Int64(clamping: Int($0.rounded().clamped)) } ?? 0
            if entry.title != nil || seconds > 0 { text += "#EXTINF:\(seconds),\(line(entry.title ?? ""))\n" }
            if let artist = entry.artist { text += "#EXTART:\(line(artist))\n" }
            if let album = entry.album { text += "#EXTALB:\(line(album))\n" }
            for url in entry.mirrors { text += "\(mirror)\(line(url))\n" }
            text += line(entry.url) + "\n"
        }
        return Array(text.utf8)
    }

    /// Reads a file that this or another program wrote; nil when it is no playlist. May block.
    static func read(_ bytes: [UInt8], path: String, name: String, exists: @escaping (String) -> Bool)
        throws(PlaybackFailure) -> (items: [KnownItem], withoutHeaders: Int)?
    {
        let (mirrors, count) = own(bytes)
        let isEmpty = bytes.split(separator: UInt8(ascii: "\n")).allSatisfy {
            $0.first == UInt8(ascii: "#") || $0.first == UInt8(ascii: "\r")
        }
        if isEmpty, path.hasSuffix(".m3u8") || path.hasSuffix(".m3u") { return ([], count) }
        guard
            let list = try Playlist.read(
                bytes, from: PlaylistOrigin(.file(path: path)), name: name, exists: exists)
        else { return nil }
        let items = list.members.map { member in
            // The name of a station is the user's; that of a file only what it was called.
            let isStation = member.duration == nil && !member.isTitleGuessed
            var known = KnownItem(
                NewEntry(
                    url: member.url, title: isStation ? member.title : nil,
                    mirrors: mirrors[member.url] ?? member.mirrors))
            known.title = member.isTitleGuessed ? nil : member.title
            known.artist = member.artist
            known.album = member.album
            known.duration = member.duration
            return known
        }
        return (items, count)
    }

    /// What our own comments say: mirrors by the URL they belong to, and how many headers are missing.
    private static func own(_ bytes: [UInt8]) -> (mirrors: [String: [String]], withoutHeaders: Int) {
        var found: [String: [String]] = [:]
        var pending: [String] = []
        var count = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: mirror.utf8) {
                pending.append(String(decoding: line.dropFirst(mirror.utf8.count), as: UTF8.self))
            } else if line.starts(with: withoutHeaders.utf8) {
                count = Int(String(decoding: line.dropFirst(withoutHeaders.utf8.count), as: UTF8.self)) ?? 0
            } else if line.first != UInt8(ascii: "#"), !pending.isEmpty {
                found[String(decoding: line, as: UTF8.self)] = pending
                pending = []
            }
        }
        return (found, max(0, count))
    }

    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension Double {
    /// Within what an Int can hold; 0 for what is no number.
    fileprivate var clamped: Double { self == self ? max(-1, min(self, 1e12)) : 0 }
}
