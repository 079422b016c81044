import Glibc

/// The system's groups.
enum Group {
    /// The number of a group; nil when there is none of that name. Control thread.
    static func id(named name: String) -> UInt32? {
        // Safe because only the control thread asks, and the result is copied at once.
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
