/// How the cache stands, for its properties.
package struct CacheStatus: Equatable, Sendable {
    /// Bytes that the cache takes on disk.
    package var used: Int64 = 0
    /// The most that it may take, as set.
    package var limit: Int64
    /// Why nothing is kept; nil while all is well.
    package var error: String?
    /// Resources of which something is here.
    package var entries = 0
    /// The cache's folder.
    package var folder = ""
    /// The most that it may take now, where the free disk allows less than the limit.
    package var allowed: Int64 = 0

    package init(limit: Int64) { self.limit = limit }
}

/// A resource in the cache.
package struct CacheEntry: Equatable, Sendable {
    /// The URL without secrets.
    package var url: String
    /// Bytes that are here.
    package var bytes: Int64
    /// Bytes of the whole resource; nil when not known.
    package var length: Int64?
    package var contentType: String?
    /// True when all of it is here.
    package var isComplete: Bool
    package var isPinned: Bool
    /// Unix time of the last use.
    package var usedAt: Double
}

/// What can be tuned of a cache.
package struct CacheSettings: Sendable {
    /// Where the files lie; the folder is made.
    package var folder: String
    /// Bytes on disk at most.
    package var limit: Int64 = 2 << 30
    /// Called on the cache's thread when something in the status changed.
    package var tell: @Sendable (CacheStatus) -> Void = { _ in }
    /// For tests.
    var faults = DiskFaults()

    package init(folder: String) { self.folder = folder }
}
