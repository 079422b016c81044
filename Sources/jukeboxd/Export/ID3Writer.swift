import Base

/// Writes an ID3v2.4 tag. Pure; nothing of others is parsed for it.
/// Source: ID3 tag version 2.4.0, main structure and native frames.
enum ID3Writer {
    private static let utf8: UInt8 = 3
    private static let frontCover: UInt8 = 3

    /// A tag with what the catalogue knows of an item; `album` stands where the item names none.
    static func tag(of published: PublishedItem, album: String?, picture: [UInt8]?) -> [UInt8] {
        var frames: [UInt8] = []
        frames += text("TIT2", published.title.map { [$0] } ?? [])
        frames += text("TPE1", published.creators)
        frames += text("TALB", (published.album ?? album).map { [$0] } ?? [])
        frames += text("TRCK", published.number.map { ["\($0)"] } ?? [])
        frames += text("TDRC", published.date.map { [String(ISODate.text($0).prefix(10))] } ?? [])
        frames += text("TCON", published.tags)
        if let picture, let type = mediaType(picture) {
            frames += frame("APIC", [utf8] + Array(type.utf8) + [0, frontCover, 0] + picture)
        }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(frames.count) + frames
    }

    /// Several values stand behind each other, each but the last with a NUL.
    private static func text(_ name: String, _ values: [String]) -> [UInt8] {
        let plain = values.map { $0.replacing("\0", with: " ") }.filter { !$0.isEmpty }
        return plain.isEmpty ? [] : frame(name, [utf8] + Array(plain.joined(separator: "\0").utf8))
    }

    private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + synchsafe(body.count) + [0, 0] + body
    }

    /// 28 bits, seven a byte.
    private static func synchsafe(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: count >> $0) & 0x7F }
    }

    private static func mediaType(_ picture: [UInt8]) -> String? {
        switch PictureFiles.ending(of: picture) {
        case ".jpg"?: "image/jpeg"
        case ".png"?: "image/png"
        default: nil
        }
    }
}
