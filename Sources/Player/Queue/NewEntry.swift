/// What a client asks to queue.
package struct NewEntry: Equatable, Sendable {
    package var url: String
    package var title: String?
    package var headers: [HeaderField]
    /// Other URLs of the same station; never shown.
    package var mirrors: [String]

    package init(
        url: String, title: String? = nil, headers: [HeaderField] = [], mirrors: [String] = []
    ) {
        self.url = url
        self.mirrors = mirrors
        self.title = title
        self.headers = headers
    }
}
