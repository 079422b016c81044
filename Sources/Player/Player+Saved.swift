package import Base

/// An item for the queue with what is known of it already.
package struct KnownItem: Equatable, Sendable {
    package var item: NewEntry
    /// What it is called until it says so itself.
    package var title: String?
    package var artist: String?
    package var album: String?
    /// In seconds.
    package var duration: Double?

    package init(_ item: NewEntry) { self.item = item }
}

extension Player {
    /// Makes the queue these items; plays the first of them, if asked, else is stopped at it.
    package func replaceQueue(_ items: [KnownItem], play: Bool) throws(CommandFailure) {
        let ids = try queue.replaceAll(items.map(\.item))
        for (id, known) in zip(ids, items) {
            queue.update(id) { entry in
                if entry.title == nil { entry.title = known.title }
                if let artist = known.artist { entry.artist = artist }
                if let album = known.album { entry.album = album }
                if let duration = known.duration { entry.duration = duration }
            }
        }
        noteStart()
        if play, !ids.isEmpty {
            interruptAnnouncements()
            load()
            send(.play)
        } else {
            finish()
        }
        publish()
    }

    /// What is heard now; nil while nothing is.
    package var heard: HeardItem? {
        guard machine.phase == .playing, let item, let entry = queue[item.entryID] else { return nil }
        let names = itemProperties.names
        return HeardItem(
            token: item.token, url: URLMask.shown(entry.url), title: names.title, artist: names.artist,
            album: names.album, channel: names.channel, isLive: item.isLive)
    }
}

/// Something that is heard, as it is shown.
package struct HeardItem: Equatable, Sendable {
    /// Another one for each opening.
    package let token: Int
    /// Masked.
    package let url: String
    package let title: String?
    package let artist: String?
    package let album: String?
    package let channel: String?
    package let isLive: Bool

    package init(
        token: Int, url: String, title: String? = nil, artist: String? = nil, album: String? = nil,
        channel: String? = nil, isLive: Bool = false
    ) {
        self.token = token
        self.url = url
        self.title = title
        self.artist = artist
        self.album = album
        self.channel = channel
        self.isLive = isLive
    }
}
