package import Wire

/// What the composition decides about the socket and its clients.
package struct ControlOptions {
    /// Where to listen, unless systemd hands a socket over.
    package var location: SocketLocation
    /// Whose members may connect besides the daemon's user and root; the socket file is theirs then, 0660.
    package var groupID: UInt32?
    /// The most connections at a time.
    package var clients = 1000
    /// The most subscriptions of one connection.
    package var subscriptionsPerClient = 64
    /// Replies of one connection that other threads are still working on.
    package var outstandingReplies = 64
    /// Past this a client is not read from until it has read everything.
    package var unreadReplyBytes = 4 << 20
    /// Past this the rest of a batch is refused, so that one line cannot ask for gigabytes.
    package var batchReplyBytes = 16 << 20
    /// How long a client may make no progress in such a state.
    package var stallTimeout: Duration = .seconds(30)
    /// What `server.instance` says; given back by `version`.
    package var instance = ""

    /// The protocol's limits at a place.
    package init(location: SocketLocation) { self.location = location }
}
