/// What a call of a decoder brought.
package enum DecodeOutcome: Equatable, Sendable {
    /// That many frames of the current format, at least one.
    case frames(Int)
    /// The sound goes on in another format; ask again for its frames.
    case formatChanged(AudioFormat)
    /// What was to come next is gone: the next frame has that place, in seconds.
    case jumped(seconds: Double)
    /// Metadata that belongs to the next frame.
    case metadata(TimedMetadata)
    case end
    /// A command made the bytes useless that it waited for; only a seek may follow.
    case interrupted
}

/// Turns the bytes of one item into frames; belongs to the decode thread, which it may block.
package protocol Decoder: AnyObject {
    /// Reads as far as needed to know the format. Throws what the item cannot be; nil when interrupted.
    func open() throws(PlaybackFailure) -> StreamInformation?

    /// False after a seek whose place is a guess, until the next exact one.
    var isPositionExact: Bool { get }

    /// The first byte and the time in seconds of what was decoded last of a live stream; nil for all else.
    var livePlace: (offset: Int64, seconds: Double)? { get }

    /// Fills the start of the buffer with interleaved frames.
    func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> DecodeOutcome

    /// Goes to a frame, or near it where the exact place cannot be found without fetching much; returns the
    /// frame that comes next.
    func seek(toFrame frame: Int) throws(PlaybackFailure) -> Int
}

extension Decoder {
    package var livePlace: (offset: Int64, seconds: Double)? { nil }
}
