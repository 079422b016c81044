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
    private(set) lazy var keeper = DownloadKeeper(service: self)
    private(set) lazy var availability = AvailabilityKeeper(service: self)
    /// Copies files, for as long as disks take.
    let exports = JobQueue(name: "jb-export")
    let pictures: PictureFinder
    private(set) lazy var covers = CoverKeeper(service: self)
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
    var watch: FolderWatch?
    private(set) var listening: StoreListening?
    /// Who waits for items that are looked up, by number.
    var questions: [Int: (CommandTable.StoredEntries) -> Void] = [:]
    var lastQuestion = 0
    /// Commands that came before it was known what is kept; nil from then on.
    private var early: [() -> Void]? = []

    private let status: Property<String>
    private let revision: Property<Int64>
    let offline: Property<Bool>
    /// Bytes a second that downloads may take together; 0 for any number.
    let downloadRate: KeptNumber
    private lazy var revisions = StoreRevision(loop: loop) { [unowned self] in revision.value += 1 }

    /// Makes a service of that state folder, which is read in the background. Throws without descriptors.
    init(
        stateFolder: String, cacheFolder: String, loader: Loader, player: Player, schedule: RefreshSchedule,
        geocoder url: String?, downloadRate: Int64, loop: EventLoop, table: PropertyTable
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
        loader.setBackgroundRate(downloadRate)
        self.downloadRate = KeptNumber(
            "store.downloadRate", keptAs: "download_rate", configured: downloadRate,
            unit: "bytes a second", table: table
        ) { [loader] in loader.setBackgroundRate($0) }
        try mailbox.deliver(on: loop) { [unowned self] message in message(self) }
        listening = StoreListening(player: player, catalogue: catalogue, loop: loop, table: table) {
            [unowned self] isHeard in
            noteChange()
            if isHeard { keeper.noteHeard() }
        }
        table.atEndOfWritingTurn { [weak self] in self?.lookAround() }
    }

    /// Reads what is kept, and begins to refresh.
    func start() {
        makeWatch()
        // Nobody who has no sources pays for a database.
        guard catalogue.isKept else {
            take(.success([]))
            return began()
        }
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

    /// What is kept is known now.
    func began() {
        keeper.start()
        let waiting = early ?? []
        early = nil
        for run in waiting { run() }
    }

    /// Does a command once it is known what is kept, which takes a moment at the start.
    private func onceBegun(_ handler: @escaping CommandTable.Handler) -> CommandTable.Handler {
        { [unowned self] (call) throws(CommandFailure) in
            guard early != nil else { return try handler(call) }
            let (outcome, run) = call.postponed(handler)
            early?.append(run)
            return outcome
        }
    }

    /// Adds a command that needs what is kept.
    func add(
        _ name: String, positional: String? = nil, to commands: CommandTable,
        _ handler: @escaping CommandTable.Handler
    ) { commands.add(name, positional: positional, onceBegun(handler)) }

    private func take(_ outcome: Result<[CatalogueSource], StoreError>) {
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
}
