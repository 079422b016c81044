/// What a read brought.
package enum ReadOutcome: Equatable, Sendable {
    /// That many bytes, at least one.
    case bytes(Int)
    /// Nothing yet; the wake point is signalled when it is worth asking again.
    case wait
    /// The offset is at or beyond the end of a resource that came whole.
    case end
    /// The bytes are not held any more, and will not come again: the oldest that are have that offset.
    case gone(oldest: Int64)
    case failed(PlaybackFailure)
}

/// The bytes of one resource, wherever they lie: a file, a transfer, a cache.
///
/// Offsets count bytes of sound: interleaved metadata is taken out. All calls come from the decode thread,
/// `close` from any; none waits for the network.
package protocol ByteSource: AnyObject, Sendable {
    /// Content information; nil until it is known.
    var information: ContentInformation? { get }

    /// Reads from an offset; fetches what is missing.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome

    /// Bytes that are here without a gap from an offset on.
    func bytesAvailable(from offset: Int64) -> Int64

    /// Takes the metadata whose offsets lie below `offset` and were not taken yet, in order.
    func takeMetadata(upTo offset: Int64) -> [TimedMetadata]

    /// Names the point to signal after a read that said `wait`; nil for none.
    func setWakePoint(_ point: WakePoint?)

    /// Ends all loading for this reader; reads then fail.
    func close()

    // MARK: Live streams

    /// The offsets of a live stream that can be read, for seeking; nil when that is not to be done.
    var heldRange: Range<Int64>? { get }

    /// Where the bytes of another connection begin, first after an offset; nil when there is none. No read goes
    /// across.
    func seam(after offset: Int64) -> Int64?

    /// Lets metadata be taken anew, from the one that holds at an offset on.
    func rewindMetadata(to offset: Int64)
}

extension ByteSource {
    package var heldRange: Range<Int64>? { nil }
    package func seam(after offset: Int64) -> Int64? { nil }
    package func rewindMetadata(to offset: Int64) {}
}

/// How far a resource is loaded; told at most a few times a second.
package struct LoadProgress: Equatable, Sendable {
    /// Bytes of sound received for this resource in all.
    package var receivedBytes: Int64
    /// Ranges of offsets that are here, in order.
    package var ranges: [Range<Int64>]
    /// True when nothing more will come.
    package var isComplete: Bool
    /// True when the loader has given up: what is here is all that will ever be.
    package var isGivenUp: Bool

    package init(
        receivedBytes: Int64, ranges: [Range<Int64>], isComplete: Bool, isGivenUp: Bool = false
    ) {
        self.receivedBytes = receivedBytes
        self.ranges = ranges
        self.isComplete = isComplete
        self.isGivenUp = isGivenUp
    }
}

/// What a source tells of its loading, from the loader's thread.
package enum SourceEvent: Equatable, Sendable {
    case information(ContentInformation)
    /// A connection is being made for the first time.
    case connecting
    /// Bytes flow (again).
    case receiving
    /// The transfer broke and is tried again; `attempt` counts from 1, `at` is unix time of the next try.
    case reconnecting(attempt: Int, at: Double, reason: String)
    case progress(LoadProgress)
    /// The server has another version by now: this one fails where what is here of it ends, and can be opened anew.
    case replaced
    case failed(PlaybackFailure)
}
