import Base

/// The tags at the end of a resource that is here: an APEv2 tag and, behind it, ID3v1.
enum TailTags {
    private static let id3v1Bytes = 128

    /// What was found, and where the sound ends.
    struct Result {
        var tags = Tags()
        var soundEnd: Int64
    }

    /// Reads the end of a resource of that length. Nil when interrupted or failed.
    static func read(_ reader: some PlacedReading, length: Int64) -> Result? {
        var result = Result(soundEnd: length)
        if length >= Int64(id3v1Bytes) {
            guard let bytes = reader.bytes(at: length - Int64(id3v1Bytes), count: id3v1Bytes) else {
                return nil
            }
            if bytes.count == id3v1Bytes, bytes.starts(with: "TAG".utf8) {
                result.soundEnd -= Int64(id3v1Bytes)
                result.tags = id3v1(bytes)
            }
        }
        let footer = result.soundEnd - Int64(APETag.headerBytes)
        guard footer >= 0 else { return result }
        guard let bytes = reader.bytes(at: footer, count: APETag.headerBytes) else { return nil }
        guard let tag = unsafe bytes.withUnsafeBytes({ unsafe APETag(footer: $0) }) else { return result }
        let start = result.soundEnd - Int64(tag.bytesAfterHeader)
        guard start >= 0, let items = reader.bytes(at: start, count: tag.bytesAfterHeader) else {
            return result
        }
        result.tags.fill(from: ape(items, count: tag.items), first: true)
        result.soundEnd = max(0, tag.hasHeader ? start - Int64(APETag.headerBytes) : start)
        return result
    }

    /// Reads the 128 bytes of an ID3v1 tag. Source: https://id3.org/ID3v1
    static func id3v1(_ bytes: [UInt8]) -> Tags {
        func text(_ start: Int, _ count: Int) -> String? {
            let text = TagText.guessed(bytes[start..<start + count])
            return text.isEmpty ? nil : text
        }
        var tags = Tags()
        guard bytes.count >= id3v1Bytes else { return tags }
        tags.title = text(3, 30)
        tags.artist = text(33, 30)
        tags.album = text(63, 30)
        tags.date = text(93, 4)
        // Version 1.1: a zero and the track's number at the end of the comment.
        if bytes[125] == 0, bytes[126] != 0 { tags.track = "\(bytes[126])" }
        tags.genre = Genres.name(Int(bytes[127]))
        return tags
    }

    /// Reads the items of an APEv2 tag; only text.
    private static func ape(_ bytes: [UInt8], count: Int) -> Tags {
        var tags = Tags()
        var index = 0
        func number() -> Int {
            bytes[index..<index + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        for _ in 0..<min(count, 256) {
            guard index + 9 <= bytes.count else { break }
            let size = number()
            index += 4
            let isText = number() & 6 == 0
            index += 4
            guard let nul = bytes[index...].firstIndex(of: 0), nul - index <= 255,
                size <= bytes.count - nul - 1
            else { break }
            let name = TagText.string(bytes[index..<nul])
            index = nul + 1
            // Several values are divided by NULs.
            let parts = bytes[index..<index + size].split(separator: 0).map { TagText.string($0) }
            let value = parts.joined(separator: ", ")
            index += size
            if isText, !value.isEmpty { tags.add(ape: name, value) }
        }
        return tags
    }
}

extension Tags {
    /// Takes over what is missing here; or, with `first`, all that the other has.
    mutating func fill(from other: Tags, first: Bool = false) {
        func pick(_ own: String?, _ others: String?) -> String? { first ? others ?? own : own ?? others }
        title = pick(title, other.title)
        artist = pick(artist, other.artist)
        album = pick(album, other.album)
        genre = pick(genre, other.genre)
        date = pick(date, other.date)
        track = pick(track, other.track)
        picture = picture ?? other.picture
        fields += other.fields
    }

    fileprivate mutating func add(ape name: String, _ value: String) {
        switch name.lowercased() {
        case "title": title = value
        case "artist": artist = value
        case "album": album = value
        case "genre": genre = value
        case "year": date = value
        case "track": track = value
        // Pictures and other data are marked as text by some writers.
        case let name where name.hasPrefix("cover art"): return
        default: break
        }
        fields.append(TimedMetadata.Field(name, value))
    }
}
