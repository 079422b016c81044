package import Base

/// What an engine tells its player, on the control thread; the number is the token of the opening.
package enum EngineEvent: Equatable, Sendable {
    // MARK: Loading

    /// A connection is being made.
    case connecting(Int)
    /// Bytes flow, for the first time or again.
    case receiving(Int)
    /// The transfer broke and is tried again at unix time `at`; attempts count from 1.
    case reconnecting(Int, attempt: Int, at: Double, reason: String)
    case information(Int, ContentInformation)
    /// How much is here; on each change that matters, four times a second at most, and after each seek.
    case buffer(Int, BufferStatus)

    // MARK: Decoding

    /// The decoder knows the item; sound can begin once enough is here.
    case opened(Int, StreamInformation)
    /// The duration in seconds became known or better known.
    case lengthKnown(Int, seconds: Double, isEstimated: Bool)
    /// Every frame of the item is decoded: it is high time to prepare the next one.
    case decoded(Int)
    /// A seek landed there, in seconds; the next sound heard is from there.
    case seeked(Int, serial: Int, seconds: Double)

    // MARK: What is heard

    /// The line of position over time began, broke or ended: at `at`, `seconds` of the item was heard.
    case clock(Int, seconds: Double, at: MonotonicTime, isRunning: Bool)
    /// The prepared item is heard from that position on, in place of the current one, which is over.
    case itemStarted(Int, seconds: Double, at: MonotonicTime)
    /// The current item was heard to its end, and the prepared one, of which nothing is heard yet, is current.
    case itemAwaited(Int)
    /// What is heard from now on has that format, where it changes within the item.
    case format(Int, AudioFormat)
    /// That metadata belongs to what is heard from now on.
    case metadata(Int, TimedMetadata)
    /// All that was decoded has been heard, and it was not the end.
    case starved(Int)

    // MARK: Announcements

    /// The current item is quiet now, and what was announced is heard over it.
    case announcing(Int)
    /// What was announced was heard to its end.
    case announced(Int)

    // MARK: Ends

    /// The last frame was heard, and no prepared item follows it.
    case ended(Int)
    /// The item cannot be played, or not on; told when all of it that can be heard was heard.
    case failed(Int, PlaybackFailure)

    // MARK: Playlists

    /// The item, or what was read by `readPlaylist`, is a playlist of these.
    case playlist(Int, PlaylistMembers)
    /// What was read by `readPlaylist` is none.
    case noPlaylist(Int)

    // MARK: Devices

    /// No enabled output can sound, for that reason; it is tried again.
    case deviceWaiting(reason: String)
    /// An output can sound again.
    case deviceReady
    /// Another program has set the volume of the device, in per cent.
    case deviceVolume(percent: Double, isMuted: Bool)
}
