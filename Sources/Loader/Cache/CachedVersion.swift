import Base

/// What the index tells of the one version of a resource whose bytes are kept.
struct CachedVersion: Equatable, Sendable {
    /// Bytes in all; nil while not known.
    var length: Int64?
    var validator = Validator()
    var contentType: String?
    /// Whether the server gives bytes from any offset; nil when it was not asked.
    var givesRanges: Bool?
    var freshness = Freshness.none
    /// Where it was found, without the query; nil when not known.
    var place: ContentPlace?

    /// True when an answer with that validator is certainly of this version.
    func isConfirmed(by other: Validator) -> Bool {
        if let mine = validator.etag, let theirs = other.etag { return mine == theirs }
        if let mine = validator.lastModified, let theirs = other.lastModified { return mine == theirs }
        return false
    }
}

/// What is on disk of a resource when it is opened.
struct CachedResource: Sendable {
    let file: CacheFile
    var version: CachedVersion
    var segments: SegmentList
    /// True for what was asked to be here.
    var isPinned = false

    /// True when all of it is here.
    var isWhole: Bool { version.length.map { segments.end(from: 0) >= $0 } ?? false }
}
