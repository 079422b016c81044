import Synchronization

/// The playlist that named an entry, and by it the playlists that named that; shared by all members of a list.
package final class EntryOrigin: Sendable {
    /// Playlists within one another that are read.
    package static let deepest = 5
    /// Playlists in one that a user named which are read before they are played.
    private static let mostReadAhead = 100

    /// The playlist's URL or path: may hold secrets.
    package let playlist: String
    /// What named the playlist; nil when a user did.
    package let parent: EntryOrigin?
    /// True when its members may lie on this machine or its link.
    package let mayLeadToThisMachine: Bool
    /// Stands for what was in it, so that the same under another name is known; nil when nobody knows.
    private let content: Int?
    /// How many playlists lie around an entry of it.
    package let depth: Int
    /// Lists below the outermost one that were read ahead.
    private let readAhead = Atomic(0)

    /// Names the playlist that members are read from.
    package init(
        playlist: String, parent: EntryOrigin?, mayLeadToThisMachine: Bool, content: Int? = nil
    ) {
        self.playlist = playlist
        self.parent = parent
        self.mayLeadToThisMachine = mayLeadToThisMachine
        self.content = content
        depth = (parent?.depth ?? 0) + 1
    }

    /// What the internet named in an earlier run; which list it was is not known any more.
    package static let forgotten = EntryOrigin(playlist: "", parent: nil, mayLeadToThisMachine: false)

    /// The playlist, for a sentence; may hold secrets.
    package var name: String { playlist.isEmpty ? "a playlist" : "the playlist \(playlist)" }

    /// All playlists around an entry of it, the nearest first.
    package var playlists: [String] { [playlist] + (parent?.playlists ?? []) }

    /// True when a list around an entry of it had the same in it.
    package func holds(content: Int) -> Bool {
        self.content == content || parent?.holds(content: content) == true
    }

    /// True when one more playlist in it may be read before it is played; counts it.
    func takeReadAhead() -> Bool {
        guard depth < Self.deepest else { return false }
        return outermost.readAhead.add(1, ordering: .relaxed).newValue <= Self.mostReadAhead
    }

    private var outermost: EntryOrigin { parent?.outermost ?? self }
}

extension EntryOrigin: Equatable {
    /// Compares what they name, not who they are.
    package static func == (a: EntryOrigin, b: EntryOrigin) -> Bool {
        a === b
            || a.playlist == b.playlist && a.mayLeadToThisMachine == b.mayLeadToThisMachine
                && a.parent == b.parent
    }
}
