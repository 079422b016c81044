/// What a client asks to queue.
package struct NewEntry: Equatable, Sendable {
    package var url: String
    package var title: String?
    package var headers: [HeaderField]
    /// Other URLs of the same station; never shown.
    package var mirrors: [String]
    /// True when the title is a guess: what the item says of itself replaces it.
    package var isTitleGuessed = false
    package var artist: String?
    package var album: String?
    /// In seconds.
    package var duration: Double?
    /// What named it; nil when a user did.
    package var origin: EntryOrigin?

    package init(
        url: String, title: String? = nil, headers: [HeaderField] = [], mirrors: [String] = []
    ) {
        self.url = url
        self.mirrors = mirrors
        self.title = title
        self.headers = headers
    }
}
