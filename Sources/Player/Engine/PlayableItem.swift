/// What an engine needs to know to open an item.
package struct PlayableItem: Equatable, Sendable {
    /// http(s), file or an absolute path, as the user gave it: may hold secrets.
    package let url: String
    /// Headers to send with requests for it; never shown.
    package let headers: [HeaderField]
    /// Other URLs of the same station, in the order in which they are tried when this one fails.
    package let mirrors: [String]
    /// The playlist that named it; nil when a user did.
    package let origin: EntryOrigin?
    /// True when the entry before or after it is of the same album.
    package var isAlbumPart = false

    package init(
        url: String, headers: [HeaderField] = [], mirrors: [String] = [], origin: EntryOrigin? = nil
    ) {
        self.origin = origin
        self.url = url
        self.mirrors = mirrors
        self.headers = headers
    }
}

/// A header of an HTTP request, checked to hold no line break.
package struct HeaderField: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
