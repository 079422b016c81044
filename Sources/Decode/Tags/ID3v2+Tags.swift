import Base

extension ID3v2 {
    /// Longer values are cut, more fields left out.
    private static let fieldLimit = 256

    /// The tag as people read it.
    var tags: Tags { tags(withPicture: true) }

    /// The same, where pictures cost more than they are asked for.
    func tags(withPicture: Bool) -> Tags {
        var tags = Tags()
        var isFront = false
        for frame in frames {
            switch frame.name {
            case "APIC", "PIC":
                if withPicture, let (picture, kind) = Self.picture(frame),
                    tags.picture == nil || (kind == 3 && !isFront)
                {
                    tags.picture = picture
                    isFront = kind == 3
                }
            case "RVA2": ReplayGain(rva2: frame.content).map { tags.replayGain.fill(from: $0) }
            case "TXXX": Self.addDescribed(frame, skipping: 0, to: &tags)
            case "COMM", "USLT": Self.addDescribed(frame, skipping: 3, to: &tags)
            case let name where name.hasPrefix("T"):
                Self.add(name, Self.texts(frame.content).joined(separator: ", "), to: &tags)
            default: break
            }
        }
        return tags
    }

    private static func addDescribed(_ frame: Frame, skipping language: Int, to tags: inout Tags) {
        guard let encoding = frame.content.first else { return }
        let parts = split(frame.content.dropFirst(1 + language), encoding)
        guard let first = parts.first else { return }
        let description = string(first, encoding)
        let value = parts.dropFirst().map { string($0, encoding) }.filter { !$0.isEmpty }
        add(
            description.isEmpty ? frame.name : "\(frame.name):\(description)", value.joined(separator: ", "),
            to: &tags)
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

    // MARK: Text

    /// The values of a text frame.
    private static func texts(_ content: ArraySlice<UInt8>) -> [String] {
        guard let encoding = content.first else { return [] }
        return split(content.dropFirst(), encoding).map { string($0, encoding) }.filter { !$0.isEmpty }
    }

    /// Divides at the terminators of the encoding: a NUL, or two at an even place.
    private static func split(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [ArraySlice<UInt8>] {
        let limited = bytes.prefix(TagText.byteLimit)
        guard encoding == 1 || encoding == 2 else {
            return limited.split(separator: 0, maxSplits: 63, omittingEmptySubsequences: false)
        }
        var parts: [ArraySlice<UInt8>] = []
        var start = limited.startIndex
        var index = start
        while index + 1 < limited.endIndex, parts.count < 63 {
            if limited[index] == 0, limited[index + 1] == 0 {
                parts.append(limited[start..<index])
                start = index + 2
            }
            index += 2
        }
        return parts + [limited[start...]]
    }

    private static func string(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String {
        switch encoding {
        case 0: TagText.guessed(bytes)
        case 1, 2: TagText.utf16(bytes, isBigEndian: encoding == 2)
        default: TagText.string(bytes)
        }
    }

    // MARK: Pictures

    /// A picture and its kind: 3 is the front cover.
    private static func picture(_ frame: Frame) -> (Tags.Picture, kind: UInt8)? {
        guard let encoding = frame.content.first else { return nil }
        var rest = frame.content.dropFirst()
        let told: String
        if frame.name == "PIC" {
            told = TagText.string(rest.prefix(3))
            rest = rest.dropFirst(3)
        } else {
            let type = rest.prefix { $0 != 0 }
            told = TagText.string(type)
            rest = rest.dropFirst(type.count + 1)
        }
        guard let kind = rest.first, told != "-->" else { return nil }
        rest = rest.dropFirst()
        let isWide = encoding == 1 || encoding == 2
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != 0 || (isWide && end + 1 < rest.endIndex && rest[end + 1] != 0)
        {
            end += isWide ? 2 : 1
        }
        let bytes = Array(rest.dropFirst(end - rest.startIndex + (isWide ? 2 : 1)))
        if bytes.isEmpty { return nil }
        return (Tags.Picture(mediaType: TagText.mediaType(of: bytes, told: told), bytes: bytes), kind)
    }
}
