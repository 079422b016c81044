/// A picture that somebody wants: where it may be found, the best first. Plain values, for any thread.
struct PictureWish: Sendable {
    enum Place: Sendable {
        /// A file of its own.
        case file(String)
        /// In the tag of a file, or beside it.
        case tag(of: String)
        /// On a server; headers go to it, and it may lead to this machine or not.
        case remote(url: String, headers: [(String, String)], mayLeadToThisMachine: Bool)
    }

    let id: Int64
    let places: [Place]
}

/// The two forms of a picture.
enum PictureSize: String, CaseIterable, Sendable {
    case thumb, full
}
