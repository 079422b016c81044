import Base
import Markup

/// Reads ASX, WAX and WVX: markup that is seldom XML, in any letter case, with raw `&`.
final class ASX: MarkupHandler {
    private var members: [PlaylistMember] = []
    private var entry: PlaylistMember?
    private var listTitle: String?
    private var element = ""
    private var collected = ""
    private let limit: Int

    private init(limit: Int) { self.limit = limit }

    /// The entries that name something, at most `limit`; the `ref`s of one are ways to the same thing.
    static func members(_ bytes: [UInt8], limit: Int) -> [PlaylistMember] {
        let reader = ASX(limit: limit)
        LooseMarkup.read(PlaylistText.whole(bytes), into: reader)
        reader.finishEntry()
        if reader.members.count == 1, reader.members[0].title == nil {
            reader.members[0].title = reader.listTitle
        }
        return reader.members
    }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        element = name.local
        collected = ""
        let reference = attributes.first { $0.name.local == "href" }?.value.trimmingBlanks ?? ""
        switch element {
        case "entry":
            finishEntry()
            entry = PlaylistMember([])
        case "ref":
            guard !reference.isEmpty else { return }
            if entry == nil { entry = PlaylistMember([]) }
            if let count = entry?.locations.count, count < Playlist.mostLocations {
                entry?.locations.append(reference)
            }
        case "entryref":
            finishEntry()
            if !reference.isEmpty, members.count < limit { members.append(PlaylistMember([reference])) }
        case "duration":
            entry?.setLength(attributes.first { $0.name.local == "value" }.flatMap { Self.seconds($0.value) })
        default: break
        }
    }

    func text(_ text: String) {
        if collected.utf8.count < PlaylistText.longestLine { collected += text }
    }

    func elementEnded(_ name: MarkupName) {
        switch name.local {
        case "title":
            if entry == nil {
                listTitle = ShownText.line(collected)
            } else {
                entry?.title = ShownText.line(collected)
            }
        case "author": entry?.artist = ShownText.line(collected)
        case "entry": finishEntry()
        default: break
        }
        collected = ""
    }

    private func finishEntry() {
        defer { entry = nil }
        guard let done = entry, !done.locations.isEmpty, members.count < limit else { return }
        members.append(done)
    }

    /// Reads `hh:mm:ss.fract`.
    private static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":").map { Double($0) ?? .nan }
        guard (1...3).contains(parts.count) else { return nil }
        let sum = parts.reduce(0) { $0 * 60 + $1 }
        return sum >= 0 ? sum : nil
    }
}
