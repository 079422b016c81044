package import Base

/// What of a player is worth keeping besides its entries: it plays on from there after a restart.
package struct PlayerMemory: Equatable, Sendable {
    /// What the user wished for last.
    package var wish = PlaybackStateMachine.Wish.stopped
    /// The current entry's index; nil without entries.
    package var index: Int?
    /// The id that the next new entry gets.
    package var nextID: Int64 = 1
    /// In percent.
    package var volume = 100.0
    package var isMuted = false
    package var modes = QueueModes()
    package var sound = SoundSettings()
    /// Unix time at which it is to fall asleep; nil: never.
    package var sleepAt: Double?
    /// In seconds; 0 for what is live.
    package var position = 0.0

    package init() {}

    /// True when nothing else is different than whether it plays, and where.
    package func differsInPlayAlone(from other: PlayerMemory) -> Bool {
        var same = self
        same.wish = other.wish
        same.position = other.position
        return same == other
    }
}

/// What becomes of a player that was playing, or paused, when it ended.
package enum ResumePolicy: String, Sendable, CaseIterable {
    /// It stands where it was.
    case paused
    /// It goes on if it was playing.
    case playing
    /// It is stopped at the same entry.
    case stopped
}
