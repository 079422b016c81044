package import Base

/// What is known of an item, as a person reads it.
package enum ItemText {
    /// `Artist – Title`, else the title, else the station, else the address; nil when nothing is known.
    package static func title(artist: JSONValue?, title: JSONValue?, channel: JSONValue?, url: JSONValue?)
        -> String?
    {
        let artist = text(artist)
        if let title = text(title) { return artist.map { "\($0) – \(title)" } ?? title }
        return text(channel) ?? text(url).map(shortened)
    }

    /// The current item among observed values.
    package static func current(_ values: [String: JSONValue]) -> String? {
        title(
            artist: values["item.artist"], title: values["item.title"], channel: values["item.channel"],
            url: values["item.url"])
    }

    /// A text that is there and not empty, without what would move a terminal's cursor.
    package static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value, !text.isEmpty else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    /// A file's name without its folders; other addresses whole.
    private static func shortened(_ url: String) -> String {
        guard url.hasPrefix("/") || url.hasPrefix("file:") else { return url }
        return url.split(separator: "/").last.map(String.init) ?? url
    }
}
