/// What a resource is by its first bytes.
enum ContentKind: Equatable, Sendable {
    /// MPEG audio; the index of its first frame in the bytes that were looked at.
    case mpegAudio(firstFrame: Int)
    /// Something else, by the words a person knows it by: "an HTML page".
    case other(String)
    /// Nothing that is known.
    case unknown
}
