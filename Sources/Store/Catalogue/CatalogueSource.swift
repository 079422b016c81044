package import Base

/// A source of items as the catalogue keeps it.
package struct CatalogueSource: Equatable, Sendable {
    /// What it turned out to be.
    package enum Kind: String, Sendable, CaseIterable {
        case podcast, opml, stations, catalogue, webdav, folder
    }

    /// Why it was not read when that was tried last.
    package struct Failure: Equatable, Sendable {
        package let code: String
        package let message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// 0 until it is kept.
    package var id: Int64
    /// http(s), or an absolute path; without user and password, but may hold other secrets.
    package var url: String
    /// The list that named it; nil when a user did.
    package var parent: Int64?
    package var kind: Kind?
    /// What a user calls it.
    package var givenTitle: String?
    package var title: String?
    package var summary: String?
    package var author: String?
    package var picture: String?
    /// Names and values that are sent with requests to its origin, one after the other; never shown.
    package var headers: [String] = []
    /// Where the document was found in the end; nil where its URL is that.
    package var place: String?
    /// True when what it names may lie on this machine or its link, as it does itself.
    package var mayLeadToThisMachine = false
    package var entityTag: String?
    package var lastModified: String?
    /// Stands for the document's bytes as they were taken in last.
    package var contentHash: Int64?
    /// Unix times.
    package var lastAttempt: Double?
    package var lastSuccess: Double?
    package var nextRefresh: Double?
    /// Attempts since it was read last.
    package var failures: Int64 = 0
    package var failure: Failure?
    /// What is downloaded by itself, as its reader wrote it; nil for nothing.
    package var rules: String?

    package init(id: Int64 = 0, url: String) {
        self.id = id
        self.url = url
    }

    /// What it is called.
    package var shownTitle: String? { givenTitle ?? title }

    /// Forgets which edition was read last, so that the next one is read whatever it is.
    package mutating func forgetEdition() {
        entityTag = nil
        lastModified = nil
        contentHash = nil
    }

    /// Takes over what its document tells of it.
    package mutating func take(_ publication: Publication) {
        title = publication.title ?? title
        summary = publication.summary
        author = publication.author
        picture = publication.picture
    }
}
