import Base

/// What a client asks to queue.
package struct NewEntry: Equatable, Sendable {
    package var url: String
    package var title: String?
    /// What is sent with requests for it, kept with it, and never shown.
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
    /// The item of the store that it is, and what that has it from.
    package var storeID: Int64?
    package var source: String?

    /// A user and password in the URL become a header: no URL that is kept or shown holds any.
    package init(
        url: String, title: String? = nil, headers: [HeaderField] = [], mirrors: [String] = []
    ) {
        self.url = url
        self.mirrors = mirrors
        self.title = title
        self.headers = headers
        guard let (clean, user, password) = URLUserinfo.taken(from: url) else { return }
        self.url = clean
        guard !headers.contains(where: { $0.name.lowercased() == "authorization" }) else { return }
        let encoded = Base64.encoded("\(user):\(password)".utf8)
        self.headers.append(HeaderField("Authorization", "Basic \(encoded)"))
    }
}
