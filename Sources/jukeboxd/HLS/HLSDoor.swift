import Base

/// How a stream opens what it names; any thread.
struct HLSDoor: Sendable {
    /// Opens a URL that may or may not lead to this machine; a playlist is never read from the cache.
    let open: @Sendable (_ url: String, _ mayLeadToThisMachine: Bool, _ isPlaylist: Bool) -> any ByteSource
    /// Hears how loading goes on.
    let tell: @Sendable (SourceEvent) -> Void
    /// Notes what happened, for `explain`.
    let note: @Sendable (Journal.Kind, String) -> Void
}
