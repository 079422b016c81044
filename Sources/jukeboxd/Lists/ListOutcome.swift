import Base
import Player

/// What reading a resource as a playlist came to.
enum ListOutcome: Sendable {
    case members(PlaylistMembers)
    /// It is something else.
    case noList
    case failed(PlaybackFailure)
}
