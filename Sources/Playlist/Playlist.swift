package import Base

/// A playlist whose members are known by URLs that can be opened.
package struct Playlist: Equatable, Sendable {
    /// URLs of one thing that are looked at; a list that names more is none for people.
    package static let mostLocations = 16
    /// Entries that a list may have.
    package static let mostMembers = 100_000
    /// Bytes of the longest list that is read.
    package static let mostBytes = 32 << 20
    /// Members that were left out which are told one by one.
    package static let mostReasons = 20

    /// A member that can be opened.
    package struct Member: Equatable, Sendable {
        /// An http(s) URL or an absolute path.
        package var url: String
        /// Other URLs of the same thing, in the order of the list.
        package var mirrors: [String] = []
        package var title: String?
        /// True when the title is the file's name, for want of another.
        package var isTitleGuessed = false
        package var artist: String?
        package var album: String?
        /// In seconds.
        package var duration: Double?
        /// True where the list says that it has no end.
        package var isEndless = false
        /// True for a folder below the one that was read: what it holds belongs in its place.
        package var isFolder = false
    }

    /// Why a member was left out.
    package struct LeftOut: Equatable, Sendable {
        /// As it was written, without secrets, shortened.
        package let location: String
        package let code: PlaybackFailure.Code
        /// Follows the location in a sentence.
        package let reason: String
    }

    package let format: PlaylistFormat
    package let members: [Member]
    /// The first of those that were left out.
    package let leftOut: [LeftOut]
    /// How many were left out in all.
    package let leftOutCount: Int
}

/// Where a playlist was read, and what its members may be because of that.
package struct PlaylistOrigin: Equatable, Sendable {
    package enum Place: Equatable, Sendable {
        /// An absolute path.
        case file(path: String)
        /// The URL after all redirects.
        case network(url: String)
    }

    package let place: Place
    /// True when it may lead to addresses of this machine and its link.
    package let mayLeadToThisMachine: Bool
    /// Playlists that it came from, itself included: none of them is a member again.
    package let ancestors: [String]

    package init(_ place: Place, mayLeadToThisMachine: Bool = true, ancestors: [String] = []) {
        self.place = place
        self.mayLeadToThisMachine = mayLeadToThisMachine
        self.ancestors = ancestors
    }

    /// The path or URL.
    package var url: String {
        switch place {
        case .file(let path): path
        case .network(let url): url
        }
    }
}
