/// What a resource is by its first bytes.
enum ContentKind: Equatable, Sendable {
    /// MPEG audio; the index of its first frame in the bytes that were looked at.
    case mpegAudio(firstFrame: Int)
    /// Something that may hold sound of another kind, by the words a person knows it by: "a FLAC file".
    case sound(String)
    /// Something else, by the words a person knows it by: "an HTML page".
    case other(String)
    /// Nothing that is known.
    case unknown
}

extension ContentKind {
    /// The words for what is no MPEG audio; nil for that, and for what is not known.
    var otherName: String? {
        switch self {
        case .sound(let name), .other(let name): name
        case .mpegAudio, .unknown: nil
        }
    }
}
