package import Base

/// What the decode thread tells, from its own thread, in order.
package enum DecodeEvent: Sendable {
    /// The item's format, length and tags are known; for a prepared one before it is heard.
    case opened(token: Int, StreamInformation)
    /// A new first ring, attached to all enabled slots: outputs leave what they had and play this.
    case ring(SampleRing)
    /// The ring goes on in another format; outputs go over by themselves.
    case ringSucceeded(SampleRing, by: SampleRing)
    /// That slot may make its `RingReader` of this ring now.
    case attached(slot: Int, SampleRing)
    /// What a mark will mean; told before the mark is placed.
    case mark(id: Int, MarkMeaning)
    /// More sound is in the ring: frames not yet heard of its current format, and the next byte of the source
    /// to be decoded. Told at the end of a chunk, about once a second in steady play.
    case buffered(token: Int, framesInRing: Int, sourceOffset: Int64)
    /// A frame of a live stream begins at that byte and has that time; told with `buffered`.
    case livePlace(token: Int, offset: Int64, seconds: Double)
    /// The source has no bytes now; the next `buffered` ends it.
    case waiting(token: Int)
    /// A seek is done: the place that comes next, in seconds.
    case seeked(token: Int, seconds: Double)
    /// The item has no other place to go to; it plays on.
    case seekRefused(token: Int)
    /// Sound was thrown away: poke the outputs, so that they drop theirs.
    case flushed
    /// The item's last frame is in the ring; its end is heard at the mark `itemEnd`.
    case decodedToEnd(token: Int)
    /// The item ends here or did not begin; what was decoded before is still heard.
    case failed(token: Int, PlaybackFailure)
    /// The item's length in frames is exact now.
    case lengthKnown(token: Int, frames: Int)
    /// The current item is heard more quietly now, and the announcement over it.
    case announcing(token: Int)
    /// The announcement was heard to its end.
    case announced(token: Int)
    /// How loud a resource is whose loudness was not known, by its `ItemLoudness.key`.
    case measured(key: Int64, MeasuredLoudness)
}

/// What becomes true when a mark is heard.
package enum MarkMeaning: Equatable, Sendable {
    /// The frame at the mark is that place of the item, in seconds.
    case position(token: Int, seconds: Double)
    case metadata(token: Int, TimedMetadata)
    case itemEnd(token: Int)
}
