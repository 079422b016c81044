/// What a playlist came to: entries that were checked already.
package struct PlaylistMembers: Equatable, Sendable {
    /// At least one.
    package let entries: [NewEntry]
    /// The indices of those that look like playlists themselves.
    package let nested: [Int]

    package init(_ entries: [NewEntry], nested: [Int] = []) {
        self.entries = entries
        self.nested = nested
    }
}
