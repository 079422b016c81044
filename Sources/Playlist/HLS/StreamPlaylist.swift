/// What a playlist of HLS (RFC 8216) describes: the pieces of one stream, or other such playlists.
package enum StreamPlaylist: Equatable, Sendable {
    /// The URLs of playlists that hold the same sound, the best first.
    case master([String])
    case media(MediaPlaylist)

    /// Bytes of the longest one that is read.
    package static let mostBytes = 8 << 20
    /// Pieces that one may have.
    package static let mostSegments = 50_000
}

/// The pieces of a stream in their order.
package struct MediaPlaylist: Equatable, Sendable {
    /// How a piece is encrypted: AES-128 in CBC mode.
    package struct Key: Hashable, Sendable {
        package var url: String
        /// 16 bytes; nil where the number of the piece stands for it.
        package var vector: [UInt8]?
    }

    /// Bytes of a resource.
    package struct Place: Equatable, Sendable {
        package var url: String
        /// Nil for all of them.
        package var range: Range<Int64>?
        package var key: Key?
    }

    package struct Segment: Equatable, Sendable {
        /// Counts from the beginning of the stream.
        package var number: Int
        package var place: Place
        package var seconds: Double
        /// What must be read before it by who does not come from the piece before.
        package var header: Place?
        /// True when it does not go on where the one before ends: another format, other times.
        package var isBreak = false
    }

    package var segments: [Segment] = []
    /// The longest piece, in seconds.
    package var targetSeconds = 10.0
    /// True when nothing will be added.
    package var isComplete = false

    /// In seconds, of all pieces.
    package var duration: Double { segments.reduce(0) { $0 + $1.seconds } }
}
