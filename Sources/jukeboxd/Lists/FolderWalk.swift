import Playlist

/// The order in which the folders below one are read: what each holds takes its place, so that all are in the order
/// in which people would look at them.
struct FolderWalk {
    /// Folders within one another that are read; a loop of links on a server has no end.
    static let deepest = 10
    /// Folders that are read in all.
    static let mostFolders = 1000

    /// What was found so far, folders that were not read yet included.
    private(set) var members: [Playlist.Member]
    /// Folders that are not read.
    private(set) var leftOut: [(url: String, reason: String)] = []
    private let depth: Int
    private var known: Set<String>
    private var read = 0
    /// Everything before it is no folder.
    private var place = 0

    /// Begins with what the outermost folder holds.
    init(_ url: String, _ members: [Playlist.Member]) {
        self.members = members
        depth = Self.depth(of: url)
        known = [url]
    }

    /// The next folder to be read, whose place `put` fills; nil when there is none.
    mutating func next() -> String? {
        while let index = members[place...].firstIndex(where: \.isFolder) {
            place = index
            let url = members[index].url
            if let reason = refusal(of: url) {
                leaveOut(reason)
            } else {
                known.insert(url)
                read += 1
                return url
            }
        }
        return nil
    }

    /// Puts what a folder holds in its place.
    mutating func put(_ found: [Playlist.Member]) {
        members.replaceSubrange(place...place, with: found)
    }

    /// Takes the folder out that `next` gave last, or that is at its place.
    mutating func leaveOut(_ reason: String) {
        leftOut.append((members[place].url, reason))
        members.remove(at: place)
    }

    private func refusal(of url: String) -> String? {
        if known.contains(url) { return "is a folder that was read already" }
        if Self.depth(of: url) - depth > Self.deepest { return "lies in more than \(Self.deepest) folders" }
        return read < Self.mostFolders ? nil : "is one folder of more than \(Self.mostFolders)"
    }

    private static func depth(of url: String) -> Int { url.utf8.count { $0 == 0x2f } }
}
