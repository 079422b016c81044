import Base
import CLinux
import Glibc
import Loader
import Player
import Playlist

/// One resource that is read as a playlist, with the folders below it where it is one; confined to the lists' thread.
final class ListReading {
    /// What all readings have in common.
    struct Surroundings {
        let journal: Journal
        /// Signalled when there are bytes.
        let wake: WakePoint
        let openFolder: @Sendable (PlayableItem) -> any ByteSource
    }

    /// How long a list, or a folder, may take in all.
    static let patience = Duration.seconds(60)

    let token: Int
    /// When what is read has taken too long.
    private(set) var deadline = MonotonicTime.now + ListReading.patience
    private let item: PlayableItem
    private let isTried: Bool
    private let around: Surroundings
    private let source: any ByteSource
    /// What is read now: the list, or a folder below it.
    private var part: ListBytes
    private var walk: FolderWalk?
    /// What the list is known by, whatever its URL.
    private var content = 0

    init(_ request: ListRequest, _ around: Surroundings) {
        token = request.token
        source = request.source
        part = ListBytes(request.source)
        item = request.item
        isTried = request.isTried
        self.around = around
        source.setWakePoint(around.wake)
    }

    /// Nothing is read any more.
    func end() {
        if walk != nil { part.source.close() }
        source.setWakePoint(nil)
    }

    private var name: String { URLMask.shown(item.url) }
    private var journal: Journal { around.journal }

    /// Reads what is here; nil while more must come.
    func read(_ scratch: UnsafeMutableRawBufferPointer) -> ListOutcome? {
        while true {
            let state = unsafe part.read(scratch)
            if case .waiting = state, deadline > .now { return nil }
            guard walk != nil else {
                if let outcome = takeList(state) { return outcome }
                continue
            }
            takeFolder(state)
            // Whoever gave up the list closed it, and knows nothing of its folders.
            if case .failed(let failure) = unsafe source.read(at: 0, into: scratch) {
                return .failed(failure)
            }
            if !goOn() { return finish() }
        }
    }

    private func fail(_ failure: PlaybackFailure) -> ListOutcome {
        journal.note(item.url, .error, failure.message)
        return .failed(failure)
    }

    /// What the list came to; nil where folders in it are to be read first.
    private func takeList(_ state: ListBytes.State) -> ListOutcome? {
        switch state {
        case .whole: return stream() ?? parse()
        case .noText: return .noList
        case .tooLong:
            let limit = Playlist.mostBytes >> 20
            let reason = "\(name) is text of more than \(limit) MiB, too long for a playlist."
            return fail(PlaybackFailure(.unsupportedFormat, reason))
        case .waiting:
            let seconds = ListReading.patience.inSeconds
            return fail(PlaybackFailure(.timeout, "\(name) was not here whole after \(seconds) s."))
        case .failed(let failure): return isTried && part.bytes.isEmpty ? .noList : fail(failure)
        }
    }

    /// What describes the pieces of one stream is no list of several things.
    private func stream() -> ListOutcome? {
        let origin = origin
        let type = part.source.information?.contentType
        guard PlaylistFormat(part.bytes, url: origin.url, contentType: type) == .hls else { return nil }
        return .stream(HLSDocument(bytes: part.bytes, origin: origin, name: name))
    }

    private func parse() -> ListOutcome? {
        do throws(PlaybackFailure) {
            guard let list = try playlist(origin) else { return .noList }
            content = part.bytes.hashValue
            let isNested = item.origin?.holds(content: content) == true
            guard !isNested, (item.origin?.depth ?? 0) < EntryOrigin.deepest else {
                let what =
                    isNested
                    ? "the playlist that it is part of" : "a playlist within \(EntryOrigin.deepest) others"
                throw PlaybackFailure(.tooManyRedirects, "\(name) is \(what), and is not followed.")
            }
            guard list.members.contains(where: \.isFolder) else {
                note(list)
                return .members(members(list.members))
            }
            walk = FolderWalk(origin.url, list.members)
            return goOn() ? nil : finish()
        } catch {
            return fail(error)
        }
    }

    private func playlist(_ origin: PlaylistOrigin) throws(PlaybackFailure) -> Playlist? {
        try Playlist.read(
            part.bytes, from: origin, contentType: part.source.information?.contentType, name: name,
            exists: { unsafe access($0, F_OK) == 0 })
    }

    // MARK: Folders

    /// Begins to read the next folder; false when there is none.
    private func goOn() -> Bool {
        guard let url = walk?.next() else { return false }
        let isOwn = Origin(of: url) == Origin(of: item.url)
        let folder = PlayableItem(url: url, headers: isOwn ? item.headers : [], origin: item.origin)
        part = ListBytes(around.openFolder(folder))
        part.source.setWakePoint(around.wake)
        deadline = .now + ListReading.patience
        return true
    }

    /// Puts in what a folder holds; one that cannot be read is left out.
    private func takeFolder(_ state: ListBytes.State) {
        defer { part.source.close() }
        switch state {
        case .whole:
            let place = part.source.information?.place?.url
            guard let place, Origin(of: place) == Origin(of: origin.url) else {
                walk?.leaveOut("leads to another server")
                return
            }
            // What holds nothing leaves nothing.
            let list = try? playlist(PlaylistOrigin(.network(url: place), mayLeadToThisMachine: true))
            walk?.put(list?.format == .webdav ? list?.members ?? [] : [])
        case .noText, .tooLong: walk?.leaveOut("cannot be read")
        case .waiting: walk?.leaveOut("was not here after \(ListReading.patience.inSeconds) s")
        case .failed(let failure): walk?.leaveOut("cannot be read: \(failure.message)")
        }
    }

    private func finish() -> ListOutcome {
        let found = walk?.members ?? []
        for folder in walk?.leftOut.prefix(Playlist.mostReasons) ?? [] {
            journal.note(item.url, .playlist, "left out: \(URLMask.shown(folder.url)) \(folder.reason)")
        }
        guard !found.isEmpty, found.count <= Playlist.mostMembers else {
            let what = found.isEmpty ? "without music" : "of more than \(Playlist.mostMembers) files"
            return fail(
                PlaybackFailure(found.isEmpty ? .empty : .unsupportedFormat, "\(name) is a folder \(what)."))
        }
        journal.note(item.url, .playlist, "is a folder (WebDAV) of \(found.count) files, with those in it")
        return .members(members(found))
    }

    // MARK: Members

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

    private func members(_ found: [Playlist.Member]) -> PlaylistMembers {
        let origin = origin
        let named = EntryOrigin(
            playlist: origin.url, parent: item.origin, mayLeadToThisMachine: origin.mayLeadToThisMachine,
            content: content)
        let own = item.headers.isEmpty ? nil : Origin(of: item.url)
        var entries: [NewEntry] = []
        var nested: [Int] = []
        entries.reserveCapacity(found.count)
        for member in found {
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
