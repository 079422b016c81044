package import Base

/// What `play` names.
package enum PlayTarget: Equatable, Sendable {
    /// The current entry, from where it was paused.
    case current
    case id(Int64)
    case index(Int)
}

/// Where `seek` goes; in seconds.
package enum SeekTarget: Equatable, Sendable {
    case to(Double)
    case by(Double)
    case live
}

extension Player {
    /// Plays the current entry on, or an entry from its start. Throws invalid_state or not_found.
    package func play(_ target: PlayTarget = .current) throws(CommandFailure) {}

    /// Pauses; keeps position and connection. No change while stopped.
    package func pause() {}

    /// Stops and frees the sound device and the connection; position 0.
    package func stop() {}

    /// Pauses what plays or buffers, else plays. Throws invalid_state when there is nothing to play.
    package func toggle() throws(CommandFailure) {}

    /// Goes to the next entry; past the end: stopped, first entry. Throws invalid_state without entries.
    package func next() throws(CommandFailure) {}

    /// Restarts a seekable item past 3 s, else goes to the entry before. Throws invalid_state without entries.
    package func previous() throws(CommandFailure) {}

    /// Goes to a place in the item. Throws invalid_state without an item, unsupported when it cannot seek.
    package func seek(_ target: SeekTarget) throws(CommandFailure) {}

    /// Does what a key of that name asks for. Throws invalid_params, or unsupported for what does not exist yet.
    package func remote(_ event: String) throws(CommandFailure) {}
}
