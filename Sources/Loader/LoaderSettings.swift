package import Base

/// What can be tuned of the loader; fixed for a loader's life.
package struct LoaderSettings: Sendable {
    /// How long one attempt to connect may take, name and TLS included.
    package var connectTimeout: Duration = .seconds(10)
    /// How long a connection may be silent before it counts as dead.
    package var stallTimeout: Duration = .seconds(10)
    /// How long the cache's disk may take to find something before the network is asked.
    package var lookupTimeout: Duration = .seconds(1)
    /// How long that disk may take nothing while bytes wait for it.
    package var diskTimeout: Duration = .seconds(5)
    /// Bytes of one remote resource that are held in memory at most.
    package var windowBytes = 4 << 20
    /// Bytes that are kept behind the reader, so that a small way back costs nothing.
    package var retainedBytes = 1 << 20
    /// Bytes that are waited for rather than asked for anew when a read is ahead of the transfer; nil for what
    /// throughput and latency say.
    package var nearBytes: Int64?
    /// Bytes ahead of a live stream's reader from which on arriving bytes are gathered.
    var gatherFrom: Int64 = 32 << 10
    /// Bytes that are gathered then: half a second at 128 kbit/s.
    var gatheredBytes: Int32 = 8 << 10
    /// Redirects that are followed.
    package var redirectLimit = 10
    /// When a transfer that broke is tried again.
    package var retries = RetrySettings()
    /// How much of a live stream is kept.
    package var timeShift = TimeShiftPlan()
    package var userAgent = "jukeboxd"
    /// Hears what happens to each resource; nil for nobody.
    package var journal: Journal?
    /// A file of certificate authorities in place of the system's; nil for these.
    package var authorities: String?
    /// Where bytes are kept; nil when they are not.
    package var cache: DiskCache?
    /// True to play only what is here.
    package var isOffline = false
    /// True to load what is being heard to its end while nothing else is to be loaded.
    package var fills = true

    package init() {}
}
