import Base

@testable import Playlist

/// What a list comes to: URLs and titles.
struct Listed {
    var urls: [String] = []
    var titles: [String?] = []
    var failure: PlaybackFailure?
    /// False when the bytes were no playlist.
    var isPlaylist = true
    var playlist: Playlist?

    /// Reads a list that lies in `/music`, where the named files are.
    static func local(_ text: String, _ name: String = "list.m3u", files: Set<String> = []) -> Listed {
        local(Array(text.utf8), name, files: files)
    }

    static func local(_ bytes: [UInt8], _ name: String = "list.m3u", files: Set<String> = []) -> Listed {
        read(bytes, PlaylistOrigin(.file(path: "/music/\(name)")), files: Set(files.map { "/music/\($0)" }))
    }

    /// Reads a list that came from a URL.
    static func remote(
        _ text: String, _ url: String = "http://radio.test/deep/er/list.m3u", contentType: String? = nil,
        mayLeadToThisMachine: Bool = true, ancestors: [String] = []
    ) -> Listed {
        read(
            Array(text.utf8),
            PlaylistOrigin(
                .network(url: url), mayLeadToThisMachine: mayLeadToThisMachine, ancestors: ancestors),
            contentType: contentType)
    }

    static func read(
        _ bytes: [UInt8], _ origin: PlaylistOrigin, contentType: String? = nil, files: Set<String> = [],
        limit: Int = 100_000
    ) -> Listed {
        var listed = Listed()
        do throws(PlaybackFailure) {
            let playlist = try Playlist.read(
                bytes, from: origin, contentType: contentType, name: "The list", limit: limit,
                exists: { files.contains($0) })
            listed.playlist = playlist
            listed.isPlaylist = playlist != nil
            for member in playlist?.members ?? [] {
                listed.urls.append(member.url)
                listed.titles.append(member.isTitleGuessed ? nil : member.title)
            }
        } catch {
            listed.failure = error
        }
        return listed
    }
}
