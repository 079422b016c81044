package import Base

/// Something to be decoded.
package struct DecodeItem: Sendable {
    /// Names the item in every event; unique while the daemon runs.
    package let token: Int
    package let source: any ByteSource
    /// Where to begin, in seconds; 0 for the start, and for a live stream whose places are not known.
    package let startSeconds: Double
    /// What people call the resource, for messages: a file name or a URL without secrets.
    package let name: String
    /// Where the seconds of a live stream lie, as far as it was decoded before.
    package let places: LiveIndex
    /// How loud it is, as far as that is known.
    package let loudness: ItemLoudness

    package init(
        token: Int, source: any ByteSource, startSeconds: Double = 0, name: String,
        places: LiveIndex = LiveIndex(), loudness: ItemLoudness = ItemLoudness()
    ) {
        self.places = places
        self.loudness = loudness
        self.token = token
        self.source = source
        self.startSeconds = startSeconds
        self.name = name
    }
}
