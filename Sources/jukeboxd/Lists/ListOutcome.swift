import Base
import Player

/// What reading a resource as a playlist came to.
enum ListOutcome: Sendable {
    case members(PlaylistMembers)
    /// It describes the pieces of one stream.
    case stream(HLSDocument)
    /// It is something else.
    case noList
    case failed(PlaybackFailure)
}
