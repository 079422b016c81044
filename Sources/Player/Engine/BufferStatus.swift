/// How much of an item is here, as an engine sees it.
package struct BufferStatus: Equatable, Sendable {
    /// Seconds of sound that are here without a gap, from the heard position on: decoded or not.
    package var secondsAhead: Double
    /// Bytes of sound that were loaded.
    package var loadedBytes: Int64
    /// Bytes of sound in all; nil when unknown or endless.
    package var totalBytes: Int64?
    /// What is here, in seconds, in order.
    package var loadedRanges: [ClosedRange<Double>]
    /// Where `seek` can go, in seconds; nil leaves it to the duration.
    package var seekableRanges: [ClosedRange<Double>]?
    /// True when the whole item is here.
    package var isWhole: Bool
    /// True when nothing more comes from here on: what is here is all that will be heard.
    package var isFinished: Bool
    /// True when no more is loaded until some of it was heard.
    package var isFull: Bool
    /// Measured over the last seconds of loading; nil when not known yet.
    package var bytesPerSecond: Double?

    package init(
        secondsAhead: Double = 0, loadedBytes: Int64 = 0, totalBytes: Int64? = nil,
        loadedRanges: [ClosedRange<Double>] = [], seekableRanges: [ClosedRange<Double>]? = nil,
        isWhole: Bool = false, isFinished: Bool = false, isFull: Bool = false, bytesPerSecond: Double? = nil
    ) {
        self.secondsAhead = secondsAhead
        self.loadedBytes = loadedBytes
        self.totalBytes = totalBytes
        self.loadedRanges = loadedRanges
        self.seekableRanges = seekableRanges
        self.isWhole = isWhole
        self.isFinished = isFinished
        self.isFull = isFull
        self.bytesPerSecond = bytesPerSecond
    }

    /// True when nothing is new but how far it was played.
    func differsInSecondsOnly(from other: BufferStatus) -> Bool {
        var same = other
        same.secondsAhead = secondsAhead
        return same == self
    }
}
