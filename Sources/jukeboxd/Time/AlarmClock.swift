import Base
import Control
import Player
import Store

/// Rings the alarms, and wakes the player's sleep timer: both by the wall clock, through suspend and when the
/// clock is set. Control thread.
final class AlarmClock {
    private static let most = 100
    /// What rings must be heard within this time, or something else is played.
    private static let patience = Duration.seconds(20)

    private let keeper: StateKeeper
    private unowned let player: Player
    private let loop: EventLoop
    private var timer: WallClockTimer?
    private var alarms: [Alarm] = []
    private var lastID: Int64 = 0
    private let zone = Alarm.Zone.here
    private var armedAt: Double?

    /// What rings and was not heard yet.
    private var ringing: (entry: Int64?, fallback: String?, timer: TimerQueue.Token)?

    /// Adds the commands. Throws when there are no descriptors left.
    init(
        keeper: StateKeeper, player: Player, loop: EventLoop, table: PropertyTable, commands: CommandTable
    ) throws(SystemError) {
        self.keeper = keeper
        self.player = player
        self.loop = loop
        timer = try WallClockTimer(on: loop) { [unowned self] in look() }
        commands.add("alarm.add", positional: "time", takesItems: true) {
            [unowned self] (call) throws(CommandFailure) in
            try add(call)
        }
        commands.add("alarm.list") { [unowned self] _ in .result(list()) }
        commands.add("alarm.remove", positional: "id") { [unowned self] (call) throws(CommandFailure) in
            try remove(try call.parameters.integer("id"))
            return .result(JSONText(raw: "{}"))
        }
        keeper.others.append { [unowned self] in keepAll() }
        table.atEndOfWritingTurn { [unowned self] in follow() }
    }

    /// Takes up the alarms that were kept.
    func resume(_ kept: [(id: Int64, value: String)]) {
        alarms = kept.compactMap { AlarmText.restore($0.id, $0.value) }
        lastID = max(lastID, kept.map(\.id).max() ?? 0)
        look()
    }

    // MARK: Commands

    private func add(_ call: CommandCall) throws(CommandFailure) -> CommandOutcome {
        guard alarms.count < Self.most else {
            throw CommandFailure(.limit, "There are \(Self.most) alarms already, the most there can be.")
        }
        var alarm = try AlarmText.alarm(lastID + 1, call.parameters)
        lastID += 1
        _ = alarm.look(at: loop.unixTime, zone)
        alarms.append(alarm)
        keep(alarm)
        arm()
        return .result(AlarmText.write(alarm))
    }

    private func list() -> JSONText {
        return .object { text in
            text.member("alarms", alarms.map { AlarmText.write($0) })
        }
    }

    private func remove(_ id: Int64) throws(CommandFailure) {
        guard let index = alarms.firstIndex(where: { $0.id == id }) else {
            throw CommandFailure(.notFound, "There is no alarm \(id).")
        }
        alarms.remove(at: index)
        keeper.write { (file) throws(StoreError) in try file.alarms.set(id, nil) }
        arm()
    }

    private func keep(_ alarm: Alarm) {
        let text = AlarmText.keep(alarm)
        keeper.write { (file) throws(StoreError) in try file.alarms.set(alarm.id, text) }
    }

    private func keepAll() -> StateStore.Change {
        let kept = alarms.map { ($0.id, AlarmText.keep($0)) }
        let change: StateStore.Change = { (file) throws(StoreError) in
            for (id, text) in kept { try file.alarms.set(id, text) }
        }
        return change
    }

    // MARK: The clock

    /// The moment has come, or the clock was set.
    private func look() {
        let now = loop.unixTime
        player.checkSleep()
        for index in alarms.indices.reversed() {
            let before = alarms[index]
            let verdict = alarms[index].look(at: now, zone)
            let alarm = alarms[index]
            if verdict == .ring { ring(alarm) }
            if verdict == .missed {
                Log.warning("alarm", "the alarm of \(AlarmText.time(alarm.second)) was missed")
            }
            if verdict != .wait, alarm.weekdays.isEmpty {
                alarms.remove(at: index)
                keeper.write { (file) throws(StoreError) in try file.alarms.set(alarm.id, nil) }
            } else if alarm != before {
                keep(alarm)
            }
        }
        arm()
    }

    /// The next alarm, or the next look at the sleep timer.
    private var nextMoment: Double? {
        (alarms.map(\.due) + (player.sleepCheckAt.map { [$0] } ?? [])).min()
    }

    private func arm() {
        armedAt = nextMoment
        timer?.set(at: armedAt)
    }

    /// Something has changed: the sleep timer, or what is heard of an alarm.
    private func follow() {
        if nextMoment != armedAt { arm() }
        if ringing != nil { watch() }
    }

    // MARK: Ringing

    private func ring(_ alarm: Alarm) {
        Log.info("alarm", "ringing at \(AlarmText.time(alarm.second))")
        if let volume = alarm.volume { player.setVolume(volume) }
        player.fadeIn(over: alarm.fade)
        stopWatching()
        let entry = start(alarm.item)
        let timer = loop.schedule(after: Self.patience) { [weak self] in self?.fallBack() }
        ringing = (entry, alarm.fallback ?? Self.tune, timer)
    }

    /// Plays an item, in the queue if it is there already; nil plays the queue. Returns the entry.
    private func start(_ item: NewEntry?) -> Int64? {
        do throws(CommandFailure) {
            guard let item else {
                try player.play()
                return player.queue.current?.id
            }
            let known = player.queue.ids.first { player.queue[$0]?.url == item.url }
            let id = if let known { known } else { try player.insertNext([item]).first }
            try player.play(id.map { .id($0) } ?? .current)
            return id
        } catch {
            Log.warning("alarm", error.message)
            return nil
        }
    }

    /// Until it is heard, its failure is looked for.
    private func watch() {
        guard let ringing else { return }
        if player.heard != nil { return stopWatching() }
        guard let id = ringing.entry else { return fallBack() }
        // What was a playlist is its first member now.
        guard let entry = player.queue[id] else {
            self.ringing?.entry = player.queue.current?.id
            return
        }
        if entry.error != nil, player.queue.current?.id != id || player.machine.wish != .playing {
            fallBack()
        }
    }

    private func fallBack() {
        guard let ringing else { return }
        stopWatching()
        guard let path = ringing.fallback else {
            return Log.warning("alarm", "nothing is heard, and there is nothing local to play instead")
        }
        Log.warning("alarm", "nothing is heard; \(path) is played instead")
        _ = start(NewEntry(url: path))
    }

    private func stopWatching() {
        if let timer = ringing?.timer { loop.cancel(timer) }
        ringing = nil
    }

    /// A tune that is installed beside the program; nil when it is not.
    private static let tune = Installation.sharedFile("tune.mp3")
}
