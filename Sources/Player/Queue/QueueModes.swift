package import Base

/// How playback goes on through the queue.
package struct QueueModes: Equatable, Sendable {
    /// What comes after the last entry, or after each.
    package enum Repeat: String, Sendable, CaseIterable, JSONRepresentable {
        case off, all, one

        package func write(to text: inout JSONText) { text.append(string: rawValue) }
    }

    package var repeats = Repeat.off
    /// Entries are played in an order of chance that is kept for a round.
    package var isShuffled = false
    /// Entries are removed once they were played or skipped.
    package var isConsuming = false

    package init(repeats: Repeat = .off, isShuffled: Bool = false, isConsuming: Bool = false) {
        self.repeats = repeats
        self.isShuffled = isShuffled
        self.isConsuming = isConsuming
    }
}
