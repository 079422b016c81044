/// An item that a rule may download, as far as rules look at it.
package struct DownloadCandidate: Equatable, Sendable {
    package let id: Int64
    /// Unix time of its publication, or where that is not known of when it was seen first.
    package let time: Double
    package let isHeard: Bool
    /// In bytes, as its publisher tells; nil where it does not.
    package let size: Int64?
    /// True for what was deleted by hand.
    package let isRefused: Bool

    package init(id: Int64, time: Double, isHeard: Bool = false, size: Int64? = nil, isRefused: Bool = false)
    {
        self.id = id
        self.time = time
        self.isHeard = isHeard
        self.size = size
        self.isRefused = isRefused
    }
}
