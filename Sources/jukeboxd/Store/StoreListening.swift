import Base
import Player
import Store

/// Keeps for each item of the store how far it was heard, and whether to its end. Control thread.
final class StoreListening: ListeningMemory {
    /// While something plays its position is kept that often: after a crash it is not further off.
    private static let interval = Duration.seconds(15)
    /// What is left so shortly before its end was heard, in seconds.
    private static let ending = 10.0

    private unowned let player: Player
    private let loop: EventLoop
    private let catalogue: Catalogue
    private let changed: (_ isHeard: Bool) -> Void
    /// Where items of the queue go on; what is not in it is not looked up yet, or begins at its start.
    private var positions: [Int64: Double] = [:]
    /// Items that are heard in parts.
    private var goingOn: Set<Int64> = []
    private var timer: TimerQueue.Token?
    private var wasPlaying = false

    /// `changed` is told when something was kept, and whether an item was heard to its end.
    init(
        player: Player, catalogue: Catalogue, loop: EventLoop, table: PropertyTable,
        changed: @escaping (_ isHeard: Bool) -> Void
    ) {
        self.player = player
        self.catalogue = catalogue
        self.loop = loop
        self.changed = changed
        player.listeningMemory = self
        table.atEndOfWritingTurn { [unowned self] in follow() }
    }

    /// Learns where an item goes on, before it is queued.
    func learn(_ item: CatalogueItem) {
        guard item.goesOn else { return }
        goingOn.insert(item.id)
        positions[item.id] = item.user.position
    }

    /// Learns it of items that were queued in an earlier run.
    func learn(_ kept: [Int64: Double]) {
        goingOn.formUnion(kept.keys)
        positions.merge(kept) { known, _ in known }
        // It was begun before it was known where it goes on.
        guard let current = player.queue.current?.storeID, let seconds = kept[current], player.isAtStart
        else { return }
        _ = try? player.seek(.to(seconds))
    }

    /// A user says where an item goes on.
    func set(_ storeID: Int64, _ seconds: Double) {
        if positions[storeID] != nil { positions[storeID] = seconds }
    }

    // MARK: ListeningMemory

    func start(of storeID: Int64) -> Double { positions[storeID] ?? 0 }

    func left(_ storeID: Int64, at seconds: Double, duration: Double?) {
        if let duration, seconds >= duration - Self.ending, duration > 3 * Self.ending {
            return heardToEnd(storeID)
        }
        keep(storeID, seconds)
    }

    func heardToEnd(_ storeID: Int64) {
        if positions[storeID] != nil { positions[storeID] = 0 }
        let now = Clocks.unixTime
        change(storeID, isHeard: true) { marks in
            marks.isHeard = true
            marks.position = 0
            marks.playCount += 1
            marks.lastHeard = now
        }
    }

    // MARK: Following

    private func follow() {
        let isPlaying = player.listening?.isPlaying ?? false
        defer { wasPlaying = isPlaying }
        if isPlaying {
            arm()
        } else if wasPlaying {
            keepNow()
        }
    }

    private func arm() {
        guard timer == nil else { return }
        timer = loop.schedule(after: Self.interval) { [weak self] in
            guard let self else { return }
            timer = nil
            keepNow()
            if player.listening?.isPlaying == true { arm() }
        }
    }

    private func keepNow() {
        if let heard = player.listening { keep(heard.storeID, heard.seconds) }
    }

    private func keep(_ storeID: Int64, _ seconds: Double) {
        let goesOn = goingOn.contains(storeID)
        if goesOn { positions[storeID] = seconds }
        let now = Clocks.unixTime
        change(storeID) { marks in
            if goesOn { marks.position = seconds }
            marks.lastHeard = now
        }
    }

    private func change(
        _ storeID: Int64, isHeard: Bool = false, _ change: @escaping @Sendable (inout UserMarks) -> Void
    ) {
        catalogue.change({ (file) throws(StoreError) in try file.users.change(storeID, change) }) { outcome in
            guard case .failure(let error) = outcome else { return }
            Log.warning("store", "what was heard cannot be kept: \(error)")
        }
        changed(isHeard)
    }
}
