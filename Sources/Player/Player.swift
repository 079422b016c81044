package import Base

/// The player: the queue, what plays of it, and every observed property of `player`, `item`, `buffer` and `queue`.
///
/// Belongs to the control thread. Commands return at once and throw what makes them senseless; what goes wrong
/// later shows in `player.error`.
package final class Player {
    let engine: any PlaybackEngine
    let timing: any Timing
    let properties: PlayerProperties
    let itemProperties: ItemProperties
    /// What the volume can be, in percent.
    let volumes: ClosedRange<Double>
    /// How far items of the store were heard; nil without a store.
    package weak var listeningMemory: (any ListeningMemory)?

    /// The entries and the current one.
    package internal(set) var queue: Queue
    /// What plays, as facts.
    package internal(set) var machine = PlaybackStateMachine()

    // MARK: What is open

    /// The item that lies under the state; nil when nothing is open.
    var item: PlayingItem? { didSet { itemChanges &+= 1 } }
    /// The item that was prepared to follow it.
    var upcoming: PlayingItem?
    /// True when the entry that follows could not be prepared: it is tried again in its own time.
    var isUpcomingRefused = false
    /// The entry that is fetched before it is prepared.
    var fetchedAhead: Int64?
    var policy = BufferPolicy()
    var playhead: Playhead
    var lastToken = 0
    /// Entries that are being read because they look like playlists, by token.
    var readings: [Int: Int64] = [:]
    var seekSerial = 0

    /// How items become sound.
    var sound = SoundSettings()

    // MARK: What interrupts or ends it

    /// What rested while an announcement was heard; taken up by the next opening.
    var resting: PlayingItem?
    /// The announcement that is heard instead of the item, or over it; those that wait; and the last one's id.
    var interlude: Interlude? { didSet { itemChanges &+= 1 } }
    var overlay: Overlay?
    var announcements: [Announcement] = []
    var lastAnnouncement: Int64 = 0
    /// Whether an announcement that does not say so is heard over what plays.
    package var ducksByDefault = false
    /// What the volume is multiplied by, from 0 to 1.
    var fade = 1.0
    var fadeTimer: TimerQueue.Token?
    var sleepTimer: TimerQueue.Token?

    /// While a key is held.
    var scan: RunningScan?

    /// Entries that failed since sound was heard or the user asked for it.
    var failuresInARow = 0
    /// True while a failure is what ends the current item.
    var isFailing = false
    /// True from a user's command that starts sound until it is heard: only then an old error is past.
    var isErrorToBeCleared = false
    /// True while the engine is being told what to do.
    private var isActing = false
    /// Events that the engine told meanwhile, and whether they are being processed now.
    private var deferred: [EngineEvent] = []
    private var isProcessingDeferred = false

    // MARK: What is published with a limit

    private(set) lazy var seconds = RateLimit(.seconds(1), timing) { [weak self] in self?.publishSeconds() }
    private(set) lazy var loading = RateLimit(.seconds(1), timing) { [weak self] in self?.publishLoading() }
    var prepareTimer: TimerQueue.Token?
    /// What was published last: item, or its place in it, changed since when these differ.
    var publishedToken: Int?
    /// Counts the writes to what is open.
    private(set) var itemChanges: UInt64 = 0
    /// What was written when the properties below `item` were looked through last.
    var publishedChanges: (item: UInt64, entry: UInt64, queue: Int64)?
    var publishedEntry: Int64?

    /// Creates a player that is stopped with an empty queue, and puts its properties into the table.
    ///
    /// Ids begin with `firstEntryID`; they must not have been used before, in earlier runs either.
    /// `maxVolume`: what the volume can be at most, in percent.
    package init(
        engine: any PlaybackEngine, timing: any Timing, table: PropertyTable, firstEntryID: Int64 = 1,
        queueLimit: Int = 100_000, maxVolume: Double = 100, seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        self.engine = engine
        self.timing = timing
        queue = Queue(firstID: firstEntryID, limit: queueLimit, seed: seed)
        volumes = 0...min(100, max(0, maxVolume))
        playhead = Playhead(timing)
        properties = PlayerProperties(in: table, position: playhead.anchor)
        itemProperties = ItemProperties(in: table)
        addSettableProperties(to: table)
    }

    /// The position in the current item, in seconds.
    package var position: Double { playhead.position(at: timing.now) }

    /// The system's clock was set: the position's anchor is renewed.
    package func wallClockChanged() {
        playhead.renew(timing)
        publish()
    }

    // MARK: Acting

    /// Gives the machine an input and does what follows from it.
    func send(_ input: PlaybackInput) {
        let wasActing = isActing
        isActing = true
        defer { isActing = wasActing }
        let wasStalled = machine.opening?.isStalled ?? false
        let actions = machine.handle(input)
        if !wasStalled, machine.opening?.isStalled == true, machine.opening?.isReconnecting != true {
            policy.noteStall()
        }
        if machine.phase != .playing { playhead.freeze(timing, end: item?.duration) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaybackAction) {
        switch action {
        case .open(let seconds): open(at: seconds)
        case .playNext: playPrepared()
        case .close: close()
        case .setRunning(let isRunning): engine.setRunning(isRunning)
        case .seek(let seconds):
            seekSerial += 1
            item?.forgetBuffer()
            if let item { engine.seek(item.token, to: seconds, serial: seekSerial) }
        case .stopOutput: engine.stopOutput()
        case .soundStarted: noteSound()
        case .advance: advance(isFailing ? .failed : .heard)
        }
    }

    private func open(at seconds: Double) {
        guard let entry = shownEntry else { return }
        noteLeaving()
        // After a stop, too, an item of the store goes on.
        let seconds = seconds > 0 ? seconds : start(of: entry)
        if item?.entryID != entry.id { policy = BufferPolicy() }
        upcoming = nil
        isUpcomingRefused = false
        properties.retry.value = nil
        if let resting {
            takeUp(resting, at: seconds)
        } else {
            lastToken += 1
            item = PlayingItem(token: lastToken, entryID: entry.id, storeID: entry.storeID)
            engine.open(lastToken, playable(entry), at: seconds)
        }
        // Only now, so that both are one request.
        dropReading(of: entry.id)
        playhead.stand(at: seconds, timing)
    }

    /// Makes what was prepared the current item.
    private func playPrepared() {
        takeUpcoming()
        item?.forgetBuffer()
        engine.playNext()
        catchUp()
        playhead.stand(at: 0, timing)
    }

    /// The prepared item is the current one from here on.
    func takeUpcoming() {
        item = upcoming
        upcoming = nil
        isUpcomingRefused = false
        policy = BufferPolicy()
        properties.retry.value = nil
    }

    private func takeUp(_ rested: PlayingItem, at seconds: Double) {
        resting = nil
        item = rested
        item?.forgetBuffer()
        engine.takeUp(rested.token, at: seconds)
    }

    func close() {
        noteLeaving()
        item = nil
        upcoming = nil
        policy = BufferPolicy()
        properties.retry.value = nil
        engine.close()
    }

    /// Keeps an event for later when the engine tells it from inside a call; true when it did.
    func deferIfActing(_ event: EngineEvent) -> Bool {
        if isActing { deferred.append(event) }
        return isActing
    }

    /// Processes what was kept, in order and without nesting, however much comes of it.
    func processDeferred() {
        guard !isProcessingDeferred, !deferred.isEmpty else { return }
        isProcessingDeferred = true
        while !deferred.isEmpty { process(deferred.removeFirst()) }
        isProcessingDeferred = false
    }

    /// Sound is heard. An error stays when the queue just moved on; a device that sounds again is none.
    func noteSound() {
        failuresInARow = 0
        if item?.wasHeard == false { item?.wasHeard = true }
        if isErrorToBeCleared || properties.error.value?.failure.code == .device {
            properties.error.value = nil
        }
        isErrorToBeCleared = false
        if let item, queue[item.entryID]?.error != nil { queue.update(item.entryID) { $0.error = nil } }
    }

    // MARK: Moving in the queue

    /// True when every entry has failed since sound was heard or asked for.
    var isHopeless: Bool { failuresInARow > 0 && failuresInARow >= queue.count }

    /// The current item is over: the next one has its turn.
    func advance(_ leaving: Queue.Leaving) {
        if interlude != nil { return endAnnouncement() }
        if leaving == .heard { noteHeardToEnd() }
        guard !isHopeless, queue.moveOn(leaving) else { return finish() }
        load()
    }

    /// Makes an entry the current one, at its start; what was wished goes on with it.
    func go(to index: Int) {
        queue.select(index)
        load()
    }

    /// The current entry is another one now, or begins anew.
    func load() {
        interruptInstead()
        if interlude != nil {
            interlude?.before.start = 0
            interlude?.before.resting = nil
            return
        }
        guard let entry = queue.current else { return finish() }
        noteLeaving()
        let start = start(of: entry)
        let isPrepared = start == 0 && upcoming?.entryID == entry.id && upcoming?.stream != nil
        send(isPrepared ? .loadPrepared : .load(at: start))
        playhead.stand(at: start, timing)
    }

    /// Past either end of the queue: stopped, first entry, position 0.
    func finish() {
        interruptInstead()
        queue.rewind()
        if interlude != nil {
            interlude?.before.wish = .stopped
            interlude?.before.start = 0
            return
        }
        send(.stop)
        playhead.stand(at: 0, timing)
    }
}
