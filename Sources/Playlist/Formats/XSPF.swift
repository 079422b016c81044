import Base
import Markup

/// Reads XSPF (https://xspf.org/spec): XML, or what people take for it.
final class XSPF: MarkupHandler {
    private var members: [PlaylistMember] = []
    private var track: PlaylistMember?
    private var path: [String] = []
    private var collected = ""
    private let limit: Int

    private init(limit: Int) { self.limit = limit }

    /// The tracks that say where they are, at most `limit`.
    static func members(_ bytes: [UInt8], limit: Int) -> [PlaylistMember] {
        let reader = XSPF(limit: limit)
        do throws(XMLError) {
            try XMLReader.read(bytes, into: reader)
            return reader.members
        } catch {
            // A raw & or a charset that expat does not know: what can be made out of it counts.
            let loose = XSPF(limit: limit)
            LooseMarkup.read(PlaylistText.whole(bytes), into: loose)
            return loose.members
        }
    }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        path.append(name.local.lowercased())
        collected = ""
        if path.last == "track" { track = PlaylistMember([]) }
    }

    func text(_ text: String) {
        let isKept = track != nil && collected.utf8.count < PlaylistText.longestLine
        if isKept { collected += text }
    }

    func elementEnded(_ name: MarkupName) {
        let element = name.local.lowercased()
        guard let start = path.lastIndex(of: element) else { return }
        // An extension may use the same names deeper down.
        if start > 0, path[start - 1] == "track" { take(element) }
        path.removeSubrange(start...)
        collected = ""
        guard element == "track", let done = track else { return }
        track = nil
        if !done.locations.isEmpty, members.count < limit { members.append(done) }
    }

    private func take(_ element: String) {
        switch element {
        case "location":
            let location = collected.trimmingBlanks
            let isTaken = !location.isEmpty && (track?.locations.count ?? 0) < Playlist.mostLocations
            if isTaken { track?.locations.append(location) }
        case "title": track?.title = ShownText.line(collected)
        case "creator": track?.artist = ShownText.line(collected)
        case "album": track?.album = ShownText.line(collected)
        case "duration": track?.setLength(Double(collected.trimmingBlanks).map { $0 / 1000 })
        default: break
        }
    }
}
