package import Base

/// One entry of the queue: what it names, and what is known of it.
package struct QueueEntry: Equatable, Sendable {
    /// Never used again, not even after a restart.
    package let id: Int64
    /// As it was given: may hold secrets, so it is shown only through `URLMask`.
    package let url: String
    package let headers: [HeaderField]
    /// Other URLs of the same station, in the order in which they are tried; never shown.
    package let mirrors: [String]
    package var title: String?
    /// True when the user named it; what the item says of itself does not replace that.
    package let isTitleGiven: Bool
    /// The playlist that named it; nil when a user did.
    package let origin: EntryOrigin?
    /// Boxed: most entries of a long queue were never opened.
    private var learned: Learned?

    package var artist: String? {
        get { learned?.facts.artist }
        set { learn { $0.artist = newValue } }
    }
    package var album: String? {
        get { learned?.facts.album }
        set { learn { $0.album = newValue } }
    }
    /// In seconds; nil when unknown or endless.
    package var duration: Double? {
        get { learned?.facts.duration }
        set { learn { $0.duration = newValue } }
    }
    package var source: String? {
        get { learned?.facts.source }
        set { learn { $0.source = newValue } }
    }
    package var storeID: Int64? {
        get { learned?.facts.storeID }
        set { learn { $0.storeID = newValue } }
    }
    package var error: EntryError? {
        get { learned?.facts.error }
        set { learn { $0.error = newValue } }
    }

    package init(id: Int64, _ item: NewEntry) {
        self.id = id
        url = item.url
        headers = item.headers
        mirrors = item.mirrors
        title = item.title.flatMap { $0.isEmpty ? nil : $0 }
        isTitleGiven = title != nil && !item.isTitleGuessed
        origin = item.origin
        let isKnown = item.artist != nil || item.album != nil || item.duration != nil || item.storeID != nil
        if isKnown {
            learn { facts in
                facts.artist = item.artist
                facts.album = item.album
                facts.duration = item.duration
                facts.storeID = item.storeID
                facts.source = item.source
            }
        }
    }

    /// What the engine opens.
    package var playable: PlayableItem {
        PlayableItem(url: url, headers: headers, mirrors: mirrors, origin: origin)
    }
}

extension QueueEntry {
    /// What playing an entry, or the store, tells of it.
    private struct Facts: Equatable, Sendable {
        var artist: String?
        var album: String?
        var duration: Double?
        var source: String?
        var storeID: Int64?
        var error: EntryError?
    }

    /// Facts behind a reference, never changed.
    private final class Learned: Equatable, Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }

        static func == (a: Learned, b: Learned) -> Bool { a === b || a.facts == b.facts }
    }

    private mutating func learn(_ change: (inout Facts) -> Void) {
        var facts = learned?.facts ?? Facts()
        change(&facts)
        learned = facts == Facts() ? nil : Learned(facts)
    }
}

/// Why an entry could not be played when it was tried last.
package struct EntryError: Equatable, Sendable {
    package let failure: PlaybackFailure
    /// Unix time in seconds.
    package let at: Double

    package init(_ failure: PlaybackFailure, at: Double) {
        self.failure = failure
        self.at = at
    }
}

extension QueueEntry: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", id)
            text.member("url", URLMask.shown(url))
            text.member("title", title)
            text.member("artist", artist)
            text.member("album", album)
            text.member("duration", duration)
            text.member("source", source)
            text.member("storeId", storeID)
            text.member("error", error)
        }
    }
}

extension EntryError: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("code", failure.code.rawValue)
            text.member("message", failure.message)
            text.member("at", at)
        }
    }
}
