/// One member of a playlist, as it is written there.
package struct PlaylistMember: Equatable, Sendable {
    /// URLs or paths of the same thing, at least one; relative ones as they are.
    package var locations: [String]
    package var title: String?
    package var artist: String?
    package var album: String?
    /// In seconds; nil when it is not told.
    package var duration: Double?
    /// True where the list says that it has no end (a length below 0).
    package var isEndless = false
    /// True for a folder, which is no entry but may hold some.
    package var isFolder = false

    package init(
        _ locations: [String], title: String? = nil, artist: String? = nil, album: String? = nil,
        duration: Double? = nil, isEndless: Bool = false
    ) {
        self.locations = locations
        self.title = title
        self.artist = artist
        self.album = album
        self.duration = duration
        self.isEndless = isEndless
    }

    /// Takes a length in seconds as lists write it: below 0 for what has no end, 0 for what nobody knows.
    mutating func setLength(_ seconds: Double?) {
        guard let seconds, seconds.isFinite else { return }
        isEndless = seconds < 0
        duration = seconds > 0 && seconds < 1e9 ? seconds : nil
    }
}
