import CLinux
import Glibc

/// Who may connect: the daemon's own user, root, and the members of one group, if there is one.
struct PeerPolicy {
    let userID: uid_t
    let groupID: gid_t?

    /// The most supplementary groups that are looked through.
    private static let groups = 1024

    /// True when the process at the other end of a Unix socket may give commands.
    func allows(peerOf fd: Int32) -> Bool {
        var peer = jb_peer()
        guard unsafe jb_peer_of(fd, &peer) == 0 else { return false }
        if allows(user: peer.uid, groups: [peer.gid]) { return true }
        return groupID != nil && allows(user: peer.uid, groups: PeerPolicy.supplementaryGroups(of: fd))
    }

    func allows(user: uid_t, groups: [gid_t]) -> Bool {
        if user == userID || user == 0 { return true }
        return groupID.map { groups.contains($0) } ?? false
    }

    private static func supplementaryGroups(of fd: Int32) -> [gid_t] {
        var found = [gid_t](repeating: 0, count: groups)
        let count = unsafe jb_peer_groups_of(fd, &found, Int32(groups))
        return Array(found.prefix(max(0, Int(count))))
    }
}
