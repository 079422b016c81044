import Base
import Feed
import Glibc
import Playlist
import Store
import Wire

/// Tells what a document is by its bytes, and reads it. Pure but for the question whether a local file exists.
enum DocumentContent {
    /// Enough for every item that a document may have.
    private static let jsonLimits = JSONLimits(values: 8_000_000, levels: 64)

    case publication(CatalogueSource.Kind, Publication)
    /// A folder on a WebDAV server, whose own folders are still to be read.
    case folder([Playlist.Member])

    /// Reads a whole document. Throws why it is of no use.
    static func read(
        _ bytes: [UInt8], of source: CatalogueSource, _ information: ContentInformation?
    ) throws(PlaybackFailure) -> DocumentContent {
        let name = URLMask.shown(source.url)
        if information?.isLive == true { return .publication(.stations, station(source, information)) }
        if let (kind, publication) = try feed(bytes, of: source, name: name) {
            return .publication(kind, publication)
        }
        if let list = try playlist(bytes, of: source, information, name: name) {
            if list.format == .webdav { return .folder(list.members) }
            return .publication(.stations, publication(list.members, isFolder: false))
        }
        throw PlaybackFailure(.unsupportedFormat, "\(name) is nothing that a store has items from.")
    }

    private static func feed(
        _ bytes: [UInt8], of source: CatalogueSource, name: String
    ) throws(PlaybackFailure) -> (CatalogueSource.Kind, Publication)? {
        do throws(FeedError) {
            let publication = try Feed.read(
                bytes, url: source.place ?? source.url, mayLeadToThisMachine: source.mayLeadToThisMachine,
                json: { try? JSONParser.parse($0, limits: jsonLimits) })
            guard let publication else { return nil }
            if Feed.isCatalogue(bytes) { return (.catalogue, publication) }
            let isList = publication.items.isEmpty && !publication.outlines.isEmpty
            return (isList ? .opml : .podcast, publication)
        } catch {
            throw PlaybackFailure(.unsupportedFormat, "\(name) cannot be used: \(error)")
        }
    }

    /// What is no list may still be something else; what is one and cannot be used says why.
    private static func playlist(
        _ bytes: [UInt8], of source: CatalogueSource, _ information: ContentInformation?, name: String
    ) throws(PlaybackFailure) -> Playlist? {
        let place: PlaylistOrigin.Place =
            LocalPath.bytes(source.url) != nil
            ? .file(path: source.url) : .network(url: source.place ?? source.url)
        return try Playlist.read(
            bytes, from: PlaylistOrigin(place, mayLeadToThisMachine: source.mayLeadToThisMachine),
            contentType: information?.contentType, name: name,
            exists: { unsafe access($0, F_OK) == 0 })
    }

    /// A URL that is heard is a list of one station.
    private static func station(_ source: CatalogueSource, _ information: ContentInformation?) -> Publication
    {
        var publication = Publication()
        var item = PublishedItem(kind: .station)
        item.title = information?.station?.name ?? source.shownTitle
        item.contents = [.init(url: source.url, mediaType: information?.contentType)]
        item.tags = information?.station?.genre.map { [$0] } ?? []
        publication.title = item.title
        publication.items = [item]
        return publication
    }

    /// Members of a list as items: files of a folder are tracks, what has no end, or may have none, is a station.
    static func publication(_ members: [Playlist.Member], isFolder: Bool) -> Publication {
        var publication = Publication()
        publication.items = members.map { member in
            let isTrack = isFolder || member.duration != nil || LocalPath.bytes(member.url) != nil
            var item = PublishedItem(kind: isTrack && !member.isEndless ? .track : .station)
            item.title = member.title
            item.creators = member.artist.map { [$0] } ?? []
            item.album = member.album
            item.duration = member.duration
            item.contents = ([member.url] + member.mirrors).map { .init(url: $0) }
            return item
        }
        return publication
    }
}
