import Base
import Loader
import Playlist
import Store

/// One document on its way; confined to the documents' thread.
final class DocumentReading {
    /// The longest that is read, in bytes: 50,000 episodes with their texts are half of it.
    private static let longest = 128 << 20
    /// How long it may be silent, and how long it may take in all.
    private static let silence = Duration.seconds(60)
    private static let patience = Duration.seconds(900)
    private static let mostReadAtOnce = 16 << 20

    let request: DocumentRequest
    private var bytes: [UInt8] = []
    private var silentSince = MonotonicTime.now
    private let end = MonotonicTime.now + DocumentReading.patience
    /// Where it is a folder of a server: the source as it will be, the folders below it, and the one that is read now.
    private var folderSource: CatalogueSource?
    private var walk: FolderWalk?
    private var part: ListBytes?
    private let openFolder: (CatalogueSource, String) -> any ByteSource
    private let wake: WakePoint

    init(
        _ request: DocumentRequest, wake: WakePoint,
        openFolder: @escaping (CatalogueSource, String) -> any ByteSource
    ) {
        self.request = request
        self.wake = wake
        self.openFolder = openFolder
        request.bytes.setWakePoint(wake)
    }

    /// When it is looked at again at the latest.
    var deadline: MonotonicTime { min(end, silentSince + Self.silence) }

    private var name: String { URLMask.shown(request.source.url) }

    /// Nothing is read any more.
    func close() {
        part?.source.close()
        request.bytes.setWakePoint(nil)
        request.bytes.close()
    }

    /// Reads what is here; nil while more must come.
    func read(_ scratch: UnsafeMutableRawBufferPointer) -> DocumentOutcome? {
        if walk != nil { return unsafe readFolders(scratch) }
        switch unsafe readBytes(scratch) {
        case .whole: return unsafe parse(scratch)
        case .failed(let failure): return failed(failure)
        case .tooLong:
            let text = "\(name) has more than \(Self.longest >> 20) MiB."
            return failed(PlaybackFailure(.unsupportedFormat, text))
        case .waiting:
            guard deadline <= .now else { return nil }
            return failed(PlaybackFailure(.timeout, "\(name) did not come within a reasonable time."))
        }
    }

    private enum State {
        case waiting, whole, tooLong
        case failed(PlaybackFailure)
    }

    private func readBytes(_ scratch: UnsafeMutableRawBufferPointer) -> State {
        while true {
            switch unsafe request.bytes.read(at: Int64(bytes.count), into: scratch) {
            case .bytes(let count):
                unsafe bytes.append(contentsOf: scratch[..<count])
                silentSince = .now
                if bytes.count > Self.longest { return .tooLong }
                // What is heard is no document: its head tells what it is.
                if bytes.count > 4_096, request.bytes.information?.isLive == true { return .whole }
            case .wait: return .waiting
            case .end, .gone: return .whole
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    private func failed(_ failure: PlaybackFailure) -> DocumentOutcome {
        .failed(failure, retryAt: request.patience.withLock { $0 })
    }

    // MARK: What it is

    private func parse(_ scratch: UnsafeMutableRawBufferPointer) -> DocumentOutcome? {
        let information = request.bytes.information
        if information?.isUnchanged == true { return .unchanged }
        let hash = Int64(bitPattern: FNV1a.hash(bytes))
        // Some servers know nothing of conditions. A folder says nothing of what changed in those below it.
        if request.source.kind != .webdav, hash == request.source.contentHash,
            request.source.lastSuccess != nil
        {
            return .unchanged
        }
        var source = request.source
        source.contentHash = hash
        source.place = information?.place?.url
        source.mayLeadToThisMachine =
            information?.isLocal == true || information?.place?.mayLeadToThisMachine == true
        source.entityTag = information?.edition?.entityTag
        source.lastModified = information?.edition?.lastModified
        do throws(PlaybackFailure) {
            let found = try DocumentContent.read(bytes, of: source, information)
            bytes = []
            switch found {
            case .publication(let kind, let publication): return taken(source, kind, publication)
            case .folder(let members):
                source.kind = .webdav
                folderSource = source
                walk = FolderWalk(source.place ?? source.url, members)
                return unsafe goOn() ? readFolders(scratch) : finishFolders()
            }
        } catch {
            return failed(error)
        }
    }

    private func taken(_ source: CatalogueSource, _ kind: CatalogueSource.Kind, _ publication: Publication)
        -> DocumentOutcome
    {
        var source = source
        source.kind = kind
        source.take(publication)
        return .read(
            source, publication, publication.items.map { ItemToKeep($0) },
            movedTo: request.bytes.information?.place?.permanentURL)
    }

    // MARK: Folders of WebDAV servers

    private func readFolders(_ scratch: UnsafeMutableRawBufferPointer) -> DocumentOutcome? {
        while true {
            guard let state = unsafe part?.read(scratch) else { return finishFolders() }
            if case .waiting = state, deadline > .now { return nil }
            take(state)
            if !goOn() { return finishFolders() }
        }
    }

    private func goOn() -> Bool {
        guard let source = folderSource, let url = walk?.next() else { return false }
        part = ListBytes(openFolder(source, url))
        part?.source.setWakePoint(wake)
        silentSince = .now
        return true
    }

    private func take(_ state: ListBytes.State) {
        defer { part?.source.close() }
        guard case .whole = state, let part, let place = part.source.information?.place?.url,
            Origin(of: place) == Origin(of: folderSource?.url ?? "")
        else {
            walk?.leaveOut("cannot be read")
            return
        }
        let origin = PlaylistOrigin(.network(url: place), mayLeadToThisMachine: true)
        let list = try? Playlist.read(part.bytes, from: origin, name: name) { _ in false }
        walk?.put(list?.format == .webdav ? list?.members ?? [] : [])
    }

    private func finishFolders() -> DocumentOutcome? {
        guard let source = folderSource else { return nil }
        let publication = DocumentContent.publication(
            walk?.members.filter { !$0.isFolder } ?? [], isFolder: true)
        return taken(source, .webdav, publication)
    }
}
