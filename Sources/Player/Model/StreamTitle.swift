package import Base

/// Title, artist and album as timed metadata tell them.
package struct StreamTitle: Equatable, Sendable {
    package var title: String?
    package var artist: String?
    package var album: String?

    package init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }

    /// What a block says of the song; nil when it says nothing, so that what was known stays.
    package init?(_ metadata: TimedMetadata) {
        switch metadata.source {
        case .icy:
            guard let text = metadata["StreamTitle"] else { return nil }
            self.init(splitting: text)
        case .id3:
            self.init(named: ("TIT2", "TPE1", "TALB"), in: metadata)
        case .vorbis:
            self.init(named: ("TITLE", "ARTIST", "ALBUM"), in: metadata)
        }
    }

    /// Splits `A - B - C` at its first separator: artist `A`, title `B - C`; without one all is the title.
    package init(splitting text: String) {
        let bytes = Array(text.utf8)
        let separator = Array(" - ".utf8)
        let starts = 0..<max(0, bytes.count - separator.count + 1)
        guard let start = starts.first(where: { bytes[$0..<($0 + separator.count)].elementsEqual(separator) })
        else {
            self.init(title: Self.trimmed(bytes[...]))
            return
        }
        let artist = Self.trimmed(bytes[..<start])
        let title = Self.trimmed(bytes[(start + separator.count)...])
        self.init(title: title ?? artist, artist: title == nil ? nil : artist)
    }

    private init?(named names: (title: String, artist: String, album: String), in metadata: TimedMetadata) {
        func value(_ name: String) -> String? {
            metadata.fields.first { $0.name.uppercased() == name }.flatMap {
                Self.trimmed(Array($0.value.utf8)[...])
            }
        }
        let isKnown = metadata.fields.contains { [names.title, names.artist].contains($0.name.uppercased()) }
        guard isKnown else { return nil }
        self.init(title: value(names.title), artist: value(names.artist), album: value(names.album))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
