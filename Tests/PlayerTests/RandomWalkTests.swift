import Base
import Glibc
import Player
import Support
import Testing

/// Random commands and engine events, likely and unlikely ones; after each everything must be true.
@Suite struct RandomWalkTests {
    /// `make soak` walks on for longer.
    private static let steps = unsafe getenv("SOAK") == nil ? 2_500 : 250_000

    @Test(arguments: [11, 13, 14, 15] as [UInt64])
    func everythingStaysTrue(seed: UInt64) throws {
        let walk = try Walk(seed: seed)
        var seen: Set<String> = []
        for step in 0..<Self.steps {
            let wish = walk.bench.player.machine.wish
            let (name, isCommand) = walk.step()
            let faults = walk.faults()
            #expect(faults.isEmpty, "seed \(seed), step \(step), \(name)")
            if !isCommand {
                let now = walk.bench.player.machine.wish
                #expect(now == wish || now == .stopped, "seed \(seed), step \(step), \(name)")
            }
            if !faults.isEmpty { return }
            seen.insert(walk.bench.state)
            seen.insert(walk.bench.reason)
        }
        let reasons = WaitingReason.allCases.map { "\"\($0.rawValue)\"" }
        #expect(seen.isSuperset(of: reasons + ["playing", "paused", "stopped"].map { "\"\($0)\"" }))
    }
}

extension RandomWalkTests {
    @Test(arguments: [21, 22] as [UInt64])
    func everythingStaysTrueThoughAnnouncementsCome(seed: UInt64) throws {
        let walk = try Walk(seed: seed)
        walk.announces = true
        for step in 0..<Self.steps {
            let (name, _) = walk.step()
            let faults = walk.faults()
            #expect(faults.isEmpty, "seed \(seed), step \(step), \(name)")
            if !faults.isEmpty { return }
        }
    }
}

/// A player, and a hand that does something random to it.
private final class Walk {
    let bench: Bench
    var random: SeededGenerator
    /// True when announcements come, too.
    var announces = false

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        bench = try Bench(["/a.mp3", "http://h/b"], limit: 12)
    }

    /// Does something; tells what, and whether it was a user's command.
    func step() -> (String, Bool) {
        bench.timing.advance(Double(random.below(40)) * 0.07)
        if announces, random.below(25) == 0 {
            try? bench.player.announce(
                NewEntry(url: "/bell.mp3"), volume: random.below(2) == 0 ? 50 : nil,
                ducks: random.below(2) == 0)
            return ("announce", true)
        }
        let isCommand = random.below(4) == 0
        return (isCommand ? command() : event(), isCommand)
    }

    // MARK: Commands

    private func command() -> String {
        let choice = random.below(20)
        do throws(CommandFailure) { try command(choice) } catch {
            return "command \(choice): \(error.message)"
        }
        return "command \(choice)"
    }

    private func command(_ choice: Int) throws(CommandFailure) {
        let player = bench.player
        switch choice {
        case 0, 1: try player.play()
        case 2: player.pause()
        case 3: if random.below(4) == 0 { player.stop() }
        case 4: try player.toggle()
        case 5: try player.next()
        case 6: try player.previous()
        case 7: try player.seek(.to(Double(random.below(105)) - 5))
        case 8: try player.seek(.by(Double(random.below(60)) - 30))
        case 9: try player.play(.index(random.below(12)))
        case 10: _ = try player.open(NewEntry(url: "/o.mp3"), play: random.below(2) == 0)
        case 11:
            let play = random.below(3) == 0
            _ = try player.add(items(), at: random.below(2) == 0 ? nil : random.below(9), play: play)
        case 12: _ = try player.insertNext(items())
        case 13: _ = try player.replaceCurrent(NewEntry(url: "/r.mp3"))
        case 14: try player.remove(someIDs())
        case 16: try player.shuffleQueue()
        case 17, 18:
            let repeats = QueueModes.Repeat.allCases.randomElement(using: &random) ?? .off
            player.setModes(
                QueueModes(
                    repeats: repeats, isShuffled: random.below(2) == 0, isConsuming: random.below(4) == 0))
        case 15: try player.move(someIDs(), to: random.below(9))
        default: if random.below(8) == 0 { try player.clear() } else { try player.seek(.live) }
        }
    }

    private func items() -> [NewEntry] { (0..<random.below(4)).map { NewEntry(url: "http://h/\($0)") } }

    private func someIDs() -> [Int64] {
        let ids = bench.player.queue.ids
        return (0..<random.below(3)).compactMap { _ in ids.randomElement(using: &random) }
    }

    // MARK: Events

    private func event() -> String {
        guard let token = someToken() else { return "no event" }
        let event = event(random.below(27), token)
        if let announced = bench.engine.announced, random.below(6) == 0 {
            return tellOfAnnouncement(announced)
        }
        switch event {
        case .itemStarted(bench.engine.next, _, _), .itemAwaited(bench.engine.next): bench.engine.startNext()
        default: break
        }
        bench.player.handle(event)
        return "\(event)"
    }

    private func tellOfAnnouncement(_ token: Int) -> String {
        let event: EngineEvent =
            switch random.below(4) {
            case 0: .announced(token)
            case 1: .failed(token, PlaybackFailure(.corrupt, "It is broken."))
            default: .announcing(token)
            }
        bench.player.handle(event)
        return "\(event)"
    }

    private func someToken() -> Int? {
        switch random.below(10) {
        case 0: random.below(40)
        case 1, 2: bench.engine.next ?? bench.engine.current
        default: bench.engine.current
        }
    }

    private func event(_ choice: Int, _ token: Int) -> EngineEvent {
        let seconds = Double(random.below(100))
        switch choice {
        case 0: return .connecting(token)
        case 1: return .receiving(token)
        case 2: return .reconnecting(token, attempt: 1, at: 1, reason: "broke")
        case 3: return .information(token, random.below(3) == 0 ? Bench.station : Bench.file)
        case 4, 5: return .opened(token, Bench.stream(seconds: random.below(4) == 0 ? nil : 100))
        case 6, 7, 8: return .buffer(token, status(seconds))
        case 9, 10, 11, 12: return .clock(token, seconds: seconds, at: bench.timing.now, isRunning: true)
        case 13: return .clock(token, seconds: seconds, at: bench.timing.now, isRunning: false)
        case 14, 23, 24, 25: return .starved(token)
        case 15: return .seeked(token, serial: bench.engine.serial, seconds: bench.engine.seekTarget)
        case 16: return .ended(token)
        case 17: return .failed(token, PlaybackFailure(.corrupt, "It is broken."))
        case 18: return random.below(2) == 0 ? .deviceWaiting(reason: "gone") : .deviceReady
        case 19: return .decoded(token)
        case 20: return .itemStarted(token, seconds: 0, at: bench.timing.now)
        case 21: return .itemAwaited(token)
        default: return .lengthKnown(token, seconds: seconds, isEstimated: random.below(2) == 0)
        }
    }

    private func status(_ seconds: Double) -> BufferStatus {
        BufferStatus(
            secondsAhead: seconds / 20, loadedBytes: Int64(seconds), loadedRanges: [0...seconds],
            isWhole: random.below(4) == 0, isFinished: random.below(6) == 0, isFull: random.below(6) == 0,
            bytesPerSecond: seconds * 1_000)
    }

    // MARK: What must be true

    private var isAnnouncingWhereItCan: Bool {
        guard bench.engine.announced != nil else { return true }
        let reasons = ["null", #""device""#, #""reconnecting""#, #""filling""#]
        return bench.player.machine.wish == .playing && reasons.contains(bench.reason)
    }

    private var isAnnouncementTold: Bool {
        let isOne = bench.player.isAnnouncing || bench.engine.announced != nil
        return bench["player.announcing"] == "\(isOne)"
    }

    func faults() -> [String] {
        let (player, engine, queue) = (bench.player, bench.engine, bench.player.queue)
        let isRunning = bench["player.position"].hasSuffix(#""rate":1}"#)
        let current = player.isAnnouncing ? "null" : queue.current.map { "\($0.id)" } ?? "null"
        let state = bench.state
        let truths: [(String, Bool)] = [
            (
                "the index is in the queue",
                queue.count == 0 ? queue.index == nil : queue.index.map { $0 < queue.count } ?? false
            ),
            (
                "a round of chance has every entry once",
                queue.round.map { $0.ids.sorted() == queue.ids.sorted() } ?? !queue.modes.isShuffled
            ),
            ("the round is where the queue is", queue.round.map { $0.current == queue.current?.id } ?? true),
            ("the length is told", bench["queue.length"] == "\(queue.count)"),
            ("the index is told", bench["queue.index"] == (queue.index.map { "\($0)" } ?? "null")),
            ("the entry is told", bench["item.entry"] == current),
            ("a reason exactly while buffering", (bench.reason != "null") == (state == #""buffering""#)),
            ("playing is heard", (state == #""playing""#) == (player.machine.opening?.isHeard == true)),
            ("what is heard runs", state != #""playing""# || engine.isRunning),
            ("the position moves exactly while playing", isRunning == (state == #""playing""#)),
            ("the position is a number", player.position >= 0 && player.position.isFinite),
            ("what is open is the engine's", (player.machine.opening == nil) == (engine.current == nil)),
            ("outputs run by the machine", engine.isRunning == player.machine.isRunning),
            ("nothing runs while paused", state != #""paused""# || !engine.isRunning),
            ("nothing is open while stopped", state != #""stopped""# || engine.current == nil),
            ("nothing is armed while stopped", state != #""stopped""# || bench.timing.armed.isEmpty),
            ("what is prepared needs what is open", engine.next == nil || engine.current != nil),
            ("what is announced over is heard, or its device is awaited", isAnnouncingWhereItCan),
            ("an announcement is told", isAnnouncementTold),
            ("the status is told", (bench["item.status"] == "null") == (bench["item.url"] == "null")),
        ]
        return truths.filter { !$0.1 }.map(\.0)
    }
}
