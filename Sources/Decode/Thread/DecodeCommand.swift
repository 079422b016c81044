package import Base

/// What the decode thread is asked for, in order.
package enum DecodeCommand: Sendable {
    /// Drops what is playing, at once, and plays this: a new first ring.
    case open(DecodeItem)
    /// Prepares what follows the current item without a gap; nil takes it back, as long as it was not begun.
    case next(DecodeItem?)
    /// Plays what was named by `next`, at once and from its start, as it was prepared: a new first ring.
    case skip(token: Int)
    /// Goes to a place of the item that is decoded, or of the one before it while that is still heard.
    case seek(token: Int, seconds: Double)
    /// Scans from what is heard on: short pieces, each a little further on. A seek ends it.
    case scan(token: Int, ScanDirection)
    /// Lets an item be heard over the current one, which goes on more quietly, once its bytes are here.
    case announce(DecodeItem, AnnouncementShares)
    /// Ends that early, as far as it can be taken out of what is decoded.
    case endAnnouncement
    /// Drops everything; the ring ends.
    case stop
    /// The slots that every new first ring is attached to: bit n stands for slot n.
    case setSlots(UInt8)
    /// How items become sound from now on; a change of gain takes a moment, so that it does not click.
    case setSound(SoundSettings)
    /// Lets a reader into the ring that is heard now; answered by `DecodeEvent.attached`, where there is one.
    case attach(slot: Int)
}
