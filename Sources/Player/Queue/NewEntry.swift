/// What a client asks to queue.
package struct NewEntry: Equatable, Sendable {
    package var url: String
    package var title: String?
    package var headers: [HeaderField]

    package init(url: String, title: String? = nil, headers: [HeaderField] = []) {
        self.url = url
        self.title = title
        self.headers = headers
    }
}
