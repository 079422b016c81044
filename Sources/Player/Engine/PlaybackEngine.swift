package import Base

/// What loads, decodes and sounds for a `Player`; told by it what to do, tells back by `EngineEvent`.
///
/// Control thread only. No call waits or fails: what goes wrong later is told as an event, never from inside a
/// call. Tokens name openings and are never used twice; events of an opening that was closed or replaced may
/// still come and are dropped by the player.
package protocol PlaybackEngine: AnyObject {
    /// Begins to load and decode an item from a position in seconds, instead of whatever was open or prepared.
    ///
    /// Sound of an earlier item that was not heard yet is dropped. Outputs keep standing or running as told last.
    func open(_ token: Int, _ item: PlayableItem, at seconds: Double)

    /// Lets the current item rest: what it loads goes on, nothing of it is decoded or heard. One at a time.
    func setAside()

    /// Makes the item that rests the current one again, at a position in seconds, in place of what is open.
    func takeUp(_ token: Int, at seconds: Double)

    /// Frees the item that rests; ignored when there is none.
    func dropAside()

    /// Opens the item that follows without a seam once the current one has ended; one at a time.
    func prepareNext(_ token: Int, _ item: PlayableItem)

    /// Loads what will be prepared later to its end, where that can be kept, in place of any other; nil for nothing.
    /// Nothing is told of it.
    func fetchAhead(_ item: PlayableItem?)

    /// Reads what is probably a playlist, in the background and when it is its turn; answered by `playlist`,
    /// `noPlaylist` or `failed`, unless cancelled.
    func readPlaylist(_ token: Int, _ item: PlayableItem)

    /// Reads it no more; ignored when it is not being read.
    func cancelPlaylist(_ token: Int)

    /// Drops the prepared item, unless it is heard already; ignored when there is none.
    func cancelNext()

    /// Makes the prepared item, which was told to be `opened`, the current one at once, from its start; in place of
    /// `open`.
    func playNext()

    /// Frees source, decoder and what they hold of the current and the prepared item; unheard sound is dropped.
    func close()

    /// Lets the outputs run (opening their devices where needed), or stand with what they hold.
    ///
    /// A device that cannot sound is told by `deviceWaiting` each time that they are let run.
    func setRunning(_ isRunning: Bool)

    /// Goes to a position; answered by `seeked` with the same serial. A newer seek replaces one under way,
    /// which then needs no answer. Followed by a fresh `buffer` once it has landed.
    func seek(_ token: Int, to seconds: Double, serial: Int)

    /// Scans an item from what is heard on, until the next seek; told by `clock` as it goes.
    func scan(_ token: Int, _ direction: ScanDirection)

    /// Lets an item be heard over the current one, which goes on more quietly beneath it; told by `announcing` and
    /// `announced`, or by `failed` or `playlist`. One at a time.
    func announce(_ token: Int, _ item: PlayableItem, volumes: AnnouncementVolumes)

    /// Ends that, and lets the current item be heard alone; call it also once it was told to be over. `close` and
    /// `open` throw away what was mixed.
    func endAnnouncement()

    /// Frees the sound devices; the next `setRunning(true)` opens them again.
    func stopOutput()

    /// Sets at which gain items are played, and how one goes over into the next; from now on.
    func setSound(_ settings: SoundSettings)

    /// Sets the volume, 0 to 100 on a perceptual scale, and whether it is muted.
    func setGain(percent: Double, isMuted: Bool)
}
