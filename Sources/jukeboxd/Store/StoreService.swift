import Base
import Control
import Loader
import Player
import Store

/// The catalogue as clients see it: sources that refresh themselves, the methods `store.*`, the properties `store.*`
/// and `sources.*`. Control thread; nothing here waits for a disk or a network.
final class StoreService {
    /// What other threads bring back: it is done on the control thread.
    typealias Message = @Sendable (StoreService) -> Void

    let catalogue: Catalogue
    let loop: EventLoop
    let table: PropertyTable
    let mailbox: Mailbox<Message>
    let scanner: LocalScanner
    let loader: Loader
    let documents: DocumentThread
    let schedule: RefreshSchedule
    private(set) lazy var downloads = Downloads(service: self, loader: loader)
    let pictures: PictureFinder
    /// Items whose picture is here, as far as that is told; the latest last.
    var readyPictures: [Int64] = []
    var refreshTimer: TimerQueue.Token?
    /// Sources that wait for their turn to be loaded, in order.
    var waiting: [Int64] = []
    var sources: [Int64: SourceState] = [:]
    unowned let player: Player
    /// Nil where nobody is asked.
    let geocoder: Geocoder?
    var locations: [Int64: Location] = [:]
    private(set) var watch: FolderWatch?
    private(set) var listening: StoreListening?
    /// Who waits for items that are looked up, by number.
    var questions: [Int: (CommandTable.StoredEntries) -> Void] = [:]
    var lastQuestion = 0

    private let status: Property<String>
    private let revision: Property<Int64>
    let offline: Property<Bool>
    /// True until the sources that were kept are known.
    private var isOpening = true
    private lazy var revisions = StoreRevision(loop: loop) { [unowned self] in revision.value += 1 }

    /// Makes a service of that state folder, which is read in the background. Throws without descriptors.
    init(
        stateFolder: String, cacheFolder: String, loader: Loader, player: Player, schedule: RefreshSchedule,
        geocoder url: String?, loop: EventLoop,
        table: PropertyTable
    ) throws(SystemError) {
        catalogue = Catalogue(folder: stateFolder)
        scanner = LocalScanner(catalogue: catalogue)
        pictures = PictureFinder(cacheFolder: cacheFolder, loader: loader)
        self.loader = loader
        self.player = player
        geocoder = url.map { Geocoder(url: $0, loader: loader) }
        self.schedule = schedule
        documents = DocumentThread { source, url in loader.openFolder(url, of: source) }
        self.loop = loop
        self.table = table
        mailbox = try Mailbox()
        status = Property("store.status", SourceState.Status.uninitialized.rawValue, in: table)
        revision = Property("store.revision", 0, in: table)
        offline = Property("store.offline", false, in: table)
        try mailbox.deliver(on: loop) { [unowned self] message in message(self) }
        listening = StoreListening(player: player, catalogue: catalogue, loop: loop, table: table) {
            [unowned self] in noteChange()
        }
        table.atEndOfWritingTurn { [weak self] in self?.lookAround() }
    }

    /// A folder changed: it is read anew. Without a watch it is so at each refresh.
    private func makeWatch() {
        do throws(SystemError) {
            watch = try FolderWatch(loop: loop) { [unowned self] id, folders in
                if let source = sources[id], source.row.kind == .folder { refresh(source, parts: folders) }
            }
        } catch {
            Log.warning("store", "folders are not watched: \(error)")
        }
    }

    /// Reads what is kept, and begins to refresh.
    func start() {
        makeWatch()
        // Nobody who has no sources pays for a database.
        guard catalogue.isKept else { return take(.success([])) }
        learnQueue()
        catalogue.change({ (file) throws(StoreError) in (try file.sources.all(), try file.downloads.all()) })
        {
            [mailbox] outcome in
            mailbox.post { service in
                service.take(outcome.map(\.0))
                service.takeDownloads((try? outcome.get().1) ?? [])
            }
        }
    }

    private func take(_ outcome: Result<[CatalogueSource], StoreError>) {
        isOpening = false
        switch outcome {
        case .failure(let error): Log.warning("store", "the catalogue cannot be opened: \(error)")
        case .success(let rows):
            for row in rows { sources[row.id] = SourceState(row, table: table) }
            for row in rows { refreshAtStart(row.id) }
            armRefresh()
        }
        update()
    }

    /// Ends: what was given to the disk is written, within the limit.
    func end(within limit: Duration) {
        for source in sources.values { source.cancel() }
        downloads.stop()
        catalogue.close(within: limit)
    }

    // MARK: State

    /// Brings what is told of all sources together up to date.
    func update() {
        let all = sources.values.map(\.status)
        let whole: SourceState.Status =
            if all.contains(.loading) {
                .loading
            } else if all.allSatisfy({ $0 == .uninitialized }) {
                .uninitialized
            } else {
                all.allSatisfy { $0 == .failed } ? .failed : .ready
            }
        status.value = whole.rawValue
    }

    /// What is listed has changed.
    func noteChange() { revisions.note() }

    // MARK: Refreshing

    private func refreshAtStart(_ id: Int64) {
        guard let source = sources[id], source.isLocal || source.row.lastSuccess == nil else { return }
        refresh(source)
    }

    /// Begins to refresh a source, or does it again once it is through.
    func refresh(_ source: SourceState, parts: Set<[UInt8]> = []) {
        guard !source.isLoading else {
            source.isDueAgain = source.isDueAgain || parts.isEmpty
            source.dueParts.formUnion(parts)
            return
        }
        source.progress = nil
        source.isLoading = true
        source.row.lastAttempt = loop.unixTime
        update()
        if let path = LocalPath.bytes(source.row.url), source.row.kind ?? .folder == .folder {
            scan(source, path, parts)
        } else {
            waiting.append(source.id)
            loadWaiting()
        }
    }

    /// A refresh is over; `failure` says why it came to nothing, `retryAt` when its server wants to be asked again.
    func finish(_ source: SourceState, _ failure: CatalogueSource.Failure?, retryAt: Double? = nil) {
        let now = loop.unixTime
        source.row.failure = failure
        if failure == nil {
            source.row.lastSuccess = now
            source.row.failures = 0
            source.row.nextRefresh =
                source.isLocal && source.isWatched ? nil : schedule.afterSuccess(source.id, now: now)
        } else {
            source.row.failures += 1
            source.row.nextRefresh = schedule.afterFailure(
                source.id, failures: source.row.failures, retryAt: retryAt, now: now)
        }
        keep(source)
        source.cancel = {}
        source.isLoading = false
        noteNetwork()
        armRefresh()
        update()
        noteChange()
        let (isDueAgain, parts) = (source.isDueAgain, source.dueParts)
        source.isDueAgain = false
        source.dueParts = []
        if isDueAgain { refresh(source) } else if !parts.isEmpty { refresh(source, parts: parts) }
    }

    /// Writes what is known of a source.
    func keep(_ source: SourceState) {
        let row = source.row
        catalogue.change({ (file) throws(StoreError) in try file.sources.update(row) }) { outcome in
            guard case .failure(let error) = outcome else { return }
            Log.warning("store", "a source cannot be kept: \(error)")
        }
    }

    private func scan(_ source: SourceState, _ path: [UInt8], _ parts: Set<[UInt8]>) {
        let request = LocalScanner.Request(source: source.id, root: path, parts: Array(parts))
        source.cancel = { request.cancel() }
        let id = source.id
        scanner.scan(
            request,
            .init(
                folder: { [door = watch?.door, mailbox] path in
                    if door?.watch(path, of: id) != true { mailbox.post { $0.noteUnwatched(id) } }
                },
                progress: { [mailbox] seen, known in
                    mailbox.post { $0.noteProgress(id, items: seen, of: known) }
                },
                changed: { [mailbox] in mailbox.post { $0.noteChange() } },
                done: { [mailbox] result in
                    mailbox.post { service in
                        service.scanned(id, result)
                    }
                }))
    }

    /// The system watches no more folders: the source is read from time to time.
    private func noteUnwatched(_ id: Int64) {
        guard let source = sources[id], source.isWatched else { return }
        source.isWatched = false
        Log.warning("store", "not all of \(source.row.url) is watched: see fs.inotify.max_user_watches")
    }

    private func scanned(_ id: Int64, _ result: Result<Void, ScanFailure>) {
        guard let source = sources[id] else { return }
        if case .failure(let failure) = result, failure.isNoFolder {
            // A list, or a catalogue, as a file.
            source.row.kind = nil
            waiting.append(id)
            return loadWaiting()
        }
        source.row.kind = .folder
        finish(source, result.failure)
    }

    private func noteProgress(_ id: Int64, items: Int, of known: Int) {
        noteProgress(id, items: items, fraction: known > 0 ? min(1, Double(items) / Double(known)) : nil)
    }

    func noteProgress(_ id: Int64, items: Int, fraction: Double?) {
        guard let source = sources[id], source.isLoading else { return }
        source.progress = .init(items: items, fraction: fraction)
    }
}

extension Result where Success == Void, Failure == ScanFailure {
    /// What is kept of it.
    fileprivate var failure: CatalogueSource.Failure? {
        guard case .failure(let error) = self else { return nil }
        return .init(code: error.code.rawValue, message: error.message)
    }
}
