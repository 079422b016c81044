import Base
import Control
import Player
import Store

/// Keeps the player's queue and settings in the database, and gives them back at the start. Control thread.
///
/// What changed is handed to the store's thread at the end of each turn, or before a command's reply; nothing
/// here waits for the disk. When the disk fails the daemon goes on, says so in `server.storageError`, and
/// tries to write everything anew.
final class StateKeeper: ReplyGate {
    /// The position is saved that often while it moves: after a crash it is not further off.
    private static let positionInterval = Duration.seconds(14)
    /// A disk that failed is tried again after that long.
    private static let retryInterval = Duration.seconds(30)

    let store: StateStore
    private let loop: EventLoop
    private unowned let player: Player
    private let table: PropertyTable
    private let mailbox: Mailbox<StateStore.Event>
    private let storageError: Property<String?>
    private let replies: WaitingReplies
    /// Writes what others keep in the file, when everything is written anew.
    var others: [() -> StateStore.Change] = []

    // MARK: What was handed over

    private var given: Int64 = 0
    /// The last of them that replies wait for: play and pause, whose answer is heard, do not.
    private(set) var owed: Int64 = 0
    /// The table's count of writes when it was looked at last.
    private var collectedWrites: UInt64 = 0
    private var last = PlayerMemory()
    private var lastAnchor: PositionAnchor?
    private var lastRound: UInt64?
    private var positionTimer: TimerQueue.Token?
    private var isFailing = false
    private var isEnded = false

    /// Makes a keeper of that folder; nothing is opened yet. Throws when there are no descriptors left.
    init(folder: String, player: Player, loop: EventLoop, table: PropertyTable) throws(SystemError) {
        let mailbox = try Mailbox<StateStore.Event>()
        self.mailbox = mailbox
        self.player = player
        self.table = table
        self.loop = loop
        store = StateStore(folder: folder) { mailbox.post($0) }
        storageError = Property("server.storageError", nil, in: table)
        replies = WaitingReplies(loop: loop)
        try mailbox.deliver(on: loop) { [unowned self] in take($0) }
        table.atEndOfWritingTurn { [unowned self] in endTurn() }
    }

    /// Opens the database and gives the player what was kept; waits for the disk. `startVolume`: nil for the last.
    /// `prepare` is called before the player goes on.
    func restore(
        resume: ResumePolicy, startVolume: Double?, prepare: (StoredState) -> Void
    ) -> StoredState {
        defer { player.recordQueueEdits() }
        do throws(StoreError) {
            let stored = try store.open { (file) throws(StoreError) in try StoredState(file) }
            var memory = PlayerMemory(stored.settings)
            if let startVolume { memory.volume = startVolume }
            last = memory
            prepare(stored)
            player.restore(
                memory, entries: stored.entries, round: RoundBytes.read(stored.settings["round"]),
                resume: resume)
            lastRound = player.queue.round?.version
            return stored.withoutEntries
        } catch {
            if let startVolume { player.setVolume(startVolume) }
            fail(error)
            return StoredState()
        }
    }

    /// Saves the last state and closes the database; waits for the disk, up to the limit.
    func end(within limit: Duration) {
        keep(withPosition: true)
        isEnded = true
        store.close(within: limit)
    }

    // MARK: Handing over

    /// Hands over what replies wait for; returns the number of the last such change.
    ///
    /// Play and pause are left to the turn's end, after their reply: to wake a thread takes longer than all they do.
    func collect() -> Int64 {
        guard isChanged, player.hasQueueEdits || !player.memory.differsInPlayAlone(from: last) else {
            return owed
        }
        keepChanges()
        return owed
    }

    /// Whatever is kept shows in a property when it changes, so most turns and requests need no more than this.
    private var isChanged: Bool { table.writes != collectedWrites && !isFailing && !isEnded }

    private func keepChanges() {
        collectedWrites = table.writes
        keep(withPosition: player.anchor != lastAnchor)
    }

    /// Writes something else into the file, in its turn.
    func write(_ change: @escaping StateStore.Change) {
        guard !isFailing, !isEnded else { return }
        give(change)
        owed = given
    }

    private func give(_ change: @escaping StateStore.Change) {
        given += 1
        store.write(given, change)
    }

    private func endTurn() {
        if isChanged { keepChanges() }
        armPositionTimer()
    }

    /// While something plays, its position is kept from time to time.
    private func armPositionTimer() {
        guard positionTimer == nil, player.machine.wish == .playing, !isFailing, !isEnded else { return }
        positionTimer = loop.schedule(after: Self.positionInterval) { [weak self] in
            guard let self else { return }
            positionTimer = nil
            keep(withPosition: true)
            armPositionTimer()
        }
    }

    /// Hands over what of the player is not as it was handed over last.
    private func keep(withPosition: Bool) {
        guard !isFailing, !isEnded else { return }
        let edits = player.takeQueueEdits()
        var memory = player.memory
        if !withPosition { memory.position = last.position }
        guard !edits.isEmpty || memory != last else { return }
        let round = memory.index != last.index || withPosition ? takeRound() : nil
        memory.position = player.memory.position
        let now = memory
        let isOwed = !edits.isEmpty || !now.differsInPlayAlone(from: last)
        last = now
        lastAnchor = player.anchor
        give { (file) throws(StoreError) in
            for edit in edits { try file.queue.apply(edit) }
            try now.write(to: file.settings)
            if let round { try file.settings.set("round", .blob(RoundBytes.write(round))) }
        }
        if isOwed { owed = given }
    }

    /// The order of chance, when it is not the one that was handed over last.
    private func takeRound() -> [Int64]? {
        guard player.queue.round?.version != lastRound else { return nil }
        lastRound = player.queue.round?.version
        return player.queue.round?.ids ?? []
    }

    // MARK: Replies

    /// Runs `body` when the change of that number is in the file, or cannot be, or when the disk hangs.
    func whenSaved(_ number: Int64, _ body: @escaping () -> Void) {
        if isFailing || isEnded { body() } else { replies.wait(for: number, body) }
    }

    // MARK: What the store tells

    private func take(_ event: StateStore.Event) {
        switch event {
        case .saved(let number):
            if isFailing {
                Log.info("store", "the state can be saved again")
                storageError.value = nil
                isFailing = false
            }
            replies.noteSaved(upTo: number)
        case .failed(let error): fail(error)
        }
    }

    private func fail(_ error: StoreError) {
        if isEnded { return }
        let text = "The state cannot be saved: \(error)."
        // The same trouble is logged once, not at each attempt.
        if !isFailing || storageError.value != text { Log.warning("store", text) }
        storageError.value = text
        isFailing = true
        replies.releaseAll()
        loop.schedule(after: Self.retryInterval) { [weak self] in self?.rewrite() }
    }

    /// Hands everything over anew.
    private func rewrite() {
        guard isFailing, !isEnded else { return }
        _ = player.takeQueueEdits()
        let queue = player.queue
        let entries = queue.ids.compactMap { queue[$0] }
        let memory = player.memory
        let round = queue.round?.ids ?? []
        (last, lastAnchor, lastRound) = (memory, player.anchor, queue.round?.version)
        let more = others.map { $0() }
        given += 1
        store.rewrite(given) { (file) throws(StoreError) in
            try file.queue.clear()
            try file.queue.insert(entries.map { SavedEntry($0) }, at: 0)
            try memory.write(to: file.settings)
            try file.settings.set("round", .blob(RoundBytes.write(round)))
            for change in more { try change(file) }
        }
    }
}

/// What was read from the database at the start.
struct StoredState: Sendable {
    var entries: [QueueEntry] = []
    var settings: [String: SQLValue] = [:]
    var alarms: [(id: Int64, value: String)] = []
    /// What was heard last; nil when nothing was.
    var lastHeard: HeardRow?
    var loudness: [LoudnessRow] = []

    init() {}

    /// Reads. Store thread.
    init(_ file: StateFile) throws(StoreError) {
        entries = file.queue.takeLoaded().map(\.queueEntry)
        settings = file.settings.values
        alarms = try file.alarms.all()
        loudness = try file.loudness.all()
        lastHeard = try file.history.last()
    }

    /// The same without what the player has taken.
    var withoutEntries: StoredState {
        var copy = self
        copy.entries = []
        return copy
    }
}
