package import Base

extension Playlist {
    /// Reads a whole list; nil when the bytes are none.
    ///
    /// `exists` tells whether a path names something and may block; `limit` is the most members there may be.
    /// Throws why nothing of the list can be played; the message begins with `name`.
    package static func read(
        _ bytes: [UInt8], from origin: PlaylistOrigin, contentType: String? = nil, name: String,
        limit: Int = mostMembers, exists: @escaping (String) -> Bool
    ) throws(PlaybackFailure) -> Playlist? {
        guard let format = PlaylistFormat(bytes, url: origin.url, contentType: contentType) else {
            return nil
        }
        let (written, tooLong) = try written(bytes, format, origin, name: name, limit: limit)
        guard written.count <= limit else {
            throw PlaybackFailure(
                .unsupportedFormat,
                "\(name) is a playlist of more than \(limit) entries, the most there may be.")
        }
        let resolver = PlaylistResolver(
            origin: origin, isOfURLs: format == .xspf || format == .asx, exists: exists)
        var members: [Member] = []
        var refusals = Refusals()
        for _ in 0..<tooLong {
            refusals.add(
                LeftOut(location: "A line", code: .unsupportedFormat, reason: "is too long for a URL"))
        }
        for member in written { resolver.resolve(member, into: &members, &refusals) }
        guard !members.isEmpty else { throw nothingIn(name, refusals) }
        if let station = Station.folded(members, format) { members = [station] }
        for index in members.indices where members[index].title == nil {
            members[index].title = MediaName.fileName(of: members[index].url)
            members[index].isTitleGuessed = true
        }
        return Playlist(
            format: format, members: members, leftOut: refusals.first, leftOutCount: refusals.count)
    }

    private static func written(
        _ bytes: [UInt8], _ format: PlaylistFormat, _ origin: PlaylistOrigin, name: String, limit: Int
    ) throws(PlaybackFailure) -> (members: [PlaylistMember], tooLong: Int) {
        switch format {
        case .m3u: M3U.members(bytes, limit: limit + 1)
        case .pls: PLS.members(bytes, limit: limit + 1)
        case .xspf: (XSPF.members(bytes, limit: limit + 1), 0)
        case .asx: (ASX.members(bytes, limit: limit + 1), 0)
        case .webdav: (WebDAV.members(bytes, in: origin.url, limit: limit + 1), 0)
        case .hls:
            throw PlaybackFailure(
                .unsupportedFormat, "\(name) is an HLS stream, which is one thing and no list of several.")
        }
    }

    private static func nothingIn(_ name: String, _ refusals: Refusals) -> PlaybackFailure {
        guard let first = refusals.first.first else {
            return PlaybackFailure(.empty, "\(name) is a playlist without an entry.")
        }
        return PlaybackFailure(
            first.code,
            "\(name) is a playlist that names nothing to play: \(first.location) \(first.reason).")
    }
}

/// What was left out of a list.
struct Refusals {
    private(set) var first: [Playlist.LeftOut] = []
    private(set) var count = 0

    mutating func add(_ refusal: Playlist.LeftOut) {
        count += 1
        if first.count < Playlist.mostReasons { first.append(refusal) }
    }
}
