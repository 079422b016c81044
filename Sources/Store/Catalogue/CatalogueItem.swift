package import Base

/// An item of the catalogue as it is kept.
package struct CatalogueItem: Equatable, Sendable {
    /// Whether its source has it.
    package enum Listing: Int64, Sendable {
        case listed = 0
        /// Its publisher does not list it any more: it stays, and may still be had.
        case unlisted = 1
        /// The file is gone: it is not shown until it comes back.
        case gone = 2
    }

    /// Never used again.
    package let id: Int64
    package let source: Int64
    package var listing: Listing
    /// What is told of it; its places are not filled in: see `locations`.
    package var published: PublishedItem
    /// Unix time at which it was seen first.
    package var added: Double
    package var user: UserMarks
    /// Here, whole and playable without a network.
    package var isAvailable: Bool
    package var locations: [CatalogueLocation] = []

    /// What is opened when it is played.
    package var url: String { published.contents.first?.url ?? "" }
    /// True for what is heard in parts: episodes, and whatever is as long as one. A song begins at its start.
    package var goesOn: Bool { published.kind == .episode || (published.duration ?? 0) >= 20 * 60 }

    /// In bytes; a hint where its publisher tells it.
    package var size: Int64? { published.contents.first?.size }
}

/// What people did with an item; no refresh touches it.
package struct UserMarks: Equatable, Sendable {
    package var isHeard = false
    /// Where it was left, in seconds; 0 at its start.
    package var position = 0.0
    /// 1 to 5; nil for none.
    package var rating: Int64?
    package var playCount: Int64 = 0
    /// Unix time.
    package var lastHeard: Double?

    package init() {}
}
