/// An item that is to be here whole, or is.
package struct CatalogueDownload: Equatable, Sendable {
    package enum State: Int64, Sendable {
        case queued = 0
        case running = 1
        case finished = 2
        case failed = 3
    }

    package let item: Int64
    package var state: State
    /// What is fetched.
    package var url: String
    /// Bytes that are here.
    package var received: Int64 = 0
    /// Bytes that there are; nil while nobody knows.
    package var expected: Int64?
    /// Why it came to nothing the last time.
    package var failure: CatalogueSource.Failure?
    /// Attempts that failed in a row.
    package var attempts: Int64 = 0
    /// Unix time.
    package var added: Double
    package var finished: Double?
    /// True for what a rule asked for, and nobody by hand.
    package var isByRule = false

    package init(item: Int64, url: String, state: State = .queued, added: Double) {
        self.item = item
        self.url = url
        self.state = state
        self.added = added
    }
}
