import Base
import CMpg123

/// Turns what libmpg123 read of an ID3v2 tag into `Tags`.
enum ID3v2Tags {
    /// Fields beyond this number are left out.
    private static let fieldLimit = 256

    static func tags(of tag: mpg123_id3v2) -> Tags {
        var tags = Tags()
        for unsafetext in unsafe list(tag.text, tag.texts) {
            unsafe add(identifier(text), value(text.text), to: &tags)
        }
        for unsafetext in unsafe list(tag.extra, tag.extras) {
            unsafe add("TXXX:" + value(text.description), value(text.text), to: &tags)
        }
        for unsafetext in unsafe list(tag.comment_list, tag.comments) {
            let description = unsafe value(text.description)
            unsafe add(description.isEmpty ? "COMM" : "COMM:" + description, value(text.text), to: &tags)
        }
        tags.picture = unsafe picture(of: tag)
        return tags
    }

    private static func add(_ name: String, _ value: String, to tags: inout Tags) {
        if value.isEmpty || tags.fields.count >= fieldLimit { return }
        tags.fields.append(TimedMetadata.Field(name, value))
        switch name {
        case "TIT2": tags.title = tags.title ?? value
        case "TPE1": tags.artist = tags.artist ?? value
        case "TALB": tags.album = tags.album ?? value
        case "TCON": tags.genre = tags.genre ?? Genres.text(ofID3: value)
        case "TRCK": tags.track = tags.track ?? value
        case "TDRC": tags.date = value
        case "TYER", "TDRL": tags.date = tags.date ?? value
        default: break
        }
    }

    private static func list(_ start: UnsafeMutablePointer<mpg123_text>?, _ count: Int)
        -> UnsafeBufferPointer<mpg123_text>
    {
        unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    private static func identifier(_ text: mpg123_text) -> String {
        let (a, b, c, d) = unsafe text.id
        return TagText.string([a, b, c, d].map { UInt8(bitPattern: $0) })
    }

    private static func value(_ string: mpg123_string) -> String {
        guard let start = unsafe string.p, unsafe string.fill > 0 else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: min(string.fill, TagText.byteLimit))
        return unsafe TagText.string(bytes)
    }

    /// The front cover, or else the first picture.
    private static func picture(of tag: mpg123_id3v2) -> Tags.Picture? {
        guard let start = unsafe tag.picture, unsafe tag.pictures > 0 else { return nil }
        let pictures = unsafe UnsafeBufferPointer(start: start, count: tag.pictures)
        let front = CChar(mpg123_id3_pic_front_cover.rawValue)
        let usable = unsafe pictures.filter { unsafe $0.size > 0 && $0.data != nil }
        guard
            let picture = unsafe usable.first(where: { unsafe $0.type == front }) ?? usable.first
        else { return nil }
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: picture.data, count: picture.size))
        // "-->" stands for a URL instead of bytes.
        let told = unsafe value(picture.mime_type)
        if told == "-->" { return nil }
        return Tags.Picture(mediaType: TagText.mediaType(of: bytes, told: told), bytes: bytes)
    }
}
