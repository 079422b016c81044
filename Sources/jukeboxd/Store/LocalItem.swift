import Base
import Decode
import Store

/// A local file as an item of the catalogue. Pure.
enum LocalItem {
    /// What its tags tell; a file without a title is called by its name.
    static func published(_ path: String, _ stamp: FileStamp, _ found: FileTags?) -> PublishedItem {
        var item = PublishedItem(kind: .track)
        item.contents = [.init(url: path, mediaType: nil, size: stamp.size)]
        guard let found else { return item }
        let tags = found.tags
        item.title = tags.title
        item.creators = tags.artist.map { [$0] } ?? []
        item.album = tags.album
        item.number = tags.track.flatMap { Int($0.prefix { $0.isNumber }) }
        item.date = tags.date.flatMap { date($0) }
        item.duration = found.duration
        item.tags = tags.genre.map { [$0] } ?? []
        return item
    }

    /// The unix time of "2003", "2003-05" or "2003-05-17", whatever follows.
    static func date(_ text: String) -> Double? {
        let parts = text.prefix(10).split(separator: "-").map { Int($0.prefix { $0.isNumber }) }
        guard let first = parts.first, let year = first, (1000...9999).contains(year) else { return nil }
        let month = parts.count > 1 ? parts[1] ?? 1 : 1
        let day = parts.count > 2 ? parts[2] ?? 1 : 1
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        return Double(LocalTime.days(year: year, month: month, day: day)) * 86_400
    }
}
