import Base
import CLinux
import Glibc
import Loader
import Player
import Playlist

/// One resource that is read as a playlist; confined to the lists' thread.
final class ListReading {
    /// How long a list may take in all.
    static let patience = Duration.seconds(60)

    let token: Int
    let source: any ByteSource
    /// When it has taken too long.
    let deadline = MonotonicTime.now + ListReading.patience
    private let item: PlayableItem
    private let isTried: Bool
    private let journal: Journal
    private var bytes: [UInt8] = []
    private var isText = false

    init(_ request: ListRequest, journal: Journal) {
        token = request.token
        source = request.source
        item = request.item
        isTried = request.isTried
        self.journal = journal
    }

    private var name: String { URLMask.shown(item.url) }

    /// Reads what is here; nil while more must come.
    func read(_ scratch: UnsafeMutableRawBufferPointer) -> ListOutcome? {
        while true {
            switch unsafe source.read(at: Int64(bytes.count), into: scratch) {
            case .bytes(let count):
                unsafe bytes.append(contentsOf: scratch[..<count])
                if !isText, bytes.count >= PlaylistFormat.headBytes {
                    guard PlaylistFormat.mayBegin(with: bytes) else { return .noList }
                    isText = true
                }
                if bytes.count > Playlist.mostBytes {
                    let limit = Playlist.mostBytes >> 20
                    return fail(
                        PlaybackFailure(
                            .unsupportedFormat,
                            "\(name) is text of more than \(limit) MiB, too long for a playlist."))
                }
            case .wait:
                guard deadline <= .now else { return nil }
                let seconds = ListReading.patience.inSeconds
                return fail(PlaybackFailure(.timeout, "\(name) was not here whole after \(seconds) s."))
            case .end, .gone: return parse()
            case .failed(let failure): return isTried && bytes.isEmpty ? .noList : fail(failure)
            }
        }
    }

    private func fail(_ failure: PlaybackFailure) -> ListOutcome {
        journal.note(item.url, .error, failure.message)
        return .failed(failure)
    }

    private func parse() -> ListOutcome {
        let origin = origin
        do throws(PlaybackFailure) {
            let list = try Playlist.read(
                bytes, from: origin, contentType: source.information?.contentType, name: name,
                exists: { unsafe access($0, F_OK) == 0 })
            guard let list else { return .noList }
            guard (item.origin?.depth ?? 0) < EntryOrigin.deepest else {
                throw PlaybackFailure(
                    .tooManyRedirects,
                    "\(name) is a playlist within \(EntryOrigin.deepest) others, and is not followed.")
            }
            return .members(members(of: list, origin))
        } catch {
            return fail(error)
        }
    }

    private var origin: PlaylistOrigin {
        let ancestors = [item.url] + (item.origin?.playlists ?? [])
        guard source.information?.isLocal != true else {
            let path = item.url.utf8.first == UInt8(ascii: "/") ? item.url : Loader.path(of: item.url)
            return PlaylistOrigin(.file(path: path ?? "/"), ancestors: ancestors)
        }
        let place = source.information?.place
        return PlaylistOrigin(
            .network(url: place?.url ?? item.url),
            mayLeadToThisMachine: place?.mayLeadToThisMachine ?? false, ancestors: ancestors)
    }

    private func members(of list: Playlist, _ origin: PlaylistOrigin) -> PlaylistMembers {
        let named = EntryOrigin(
            playlist: origin.url, parent: item.origin, mayLeadToThisMachine: origin.mayLeadToThisMachine)
        let own = item.headers.isEmpty ? nil : Origin(of: item.url)
        var entries: [NewEntry] = []
        var nested: [Int] = []
        entries.reserveCapacity(list.members.count)
        for member in list.members {
            var entry = NewEntry(url: member.url, title: member.title, mirrors: member.mirrors)
            entry.isTitleGuessed = member.isTitleGuessed
            entry.artist = member.artist
            entry.album = member.album
            entry.duration = member.duration
            entry.origin = named
            // Headers belong to the place that they were given for, and to nobody else.
            if let own, Origin(of: member.url) == own {
                let given = Set(entry.headers.map { $0.name.lowercased() })
                entry.headers += item.headers.filter { !given.contains($0.name.lowercased()) }
            }
            guard (try? entry.check()) != nil else { continue }
            if MediaName.isPlaylist(entry.url) { nested.append(entries.count) }
            entries.append(entry)
        }
        note(list)
        return PlaylistMembers(entries, nested: nested)
    }

    private func note(_ list: Playlist) {
        let count = list.members.count
        let mirrors = list.members.first?.mirrors.count ?? 0
        let isStation = count == 1 && mirrors > 0
        let what =
            isStation
            ? "one station with \(mirrors + 1) URLs" : "\(count) \(count == 1 ? "entry" : "entries")"
        journal.note(item.url, .playlist, "is a playlist (\(list.format.rawValue)) of \(what)")
        for one in list.leftOut {
            journal.note(item.url, .playlist, "left out: \(one.location) \(one.reason)")
        }
        let more = list.leftOutCount - list.leftOut.count
        if more > 0 { journal.note(item.url, .playlist, "left out: \(more) more") }
    }
}
