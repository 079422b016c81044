import Base
import Player
import Support
import Testing

/// Repeat, shuffle and consume.
@Suite struct QueueModesTests {
    private static func queue(_ count: Int, _ modes: QueueModes, seed: UInt64 = 1) throws -> Queue {
        var queue = Queue(seed: seed)
        _ = try queue.insert((0..<count).map { NewEntry(url: "/\($0).mp3") }, at: nil)
        queue.setModes(modes)
        return queue
    }

    struct Row: Sendable {
        let modes: QueueModes
        /// The ids that are current one after the other when each is heard to its end; nil: past the end.
        let heard: [Int64?]
        /// The same for `next`.
        let skipped: [Int64?]
        let left: Int
    }

    @Test(arguments: [
        Row(modes: QueueModes(), heard: [2, 3, nil], skipped: [2, 3, nil], left: 3),
        Row(modes: QueueModes(repeats: .all), heard: [2, 3, 1, 2], skipped: [2, 3, 1, 2], left: 3),
        Row(modes: QueueModes(repeats: .one), heard: [1, 1, 1], skipped: [2, 3, 1], left: 3),
        Row(modes: QueueModes(isConsuming: true), heard: [2, 3, nil], skipped: [2, 3, nil], left: 0),
        Row(
            modes: QueueModes(repeats: .all, isConsuming: true), heard: [2, 3, nil], skipped: [2, 3, nil],
            left: 0),
    ])
    func whatComesNext(row: Row) throws {
        for (leaving, ids) in [(Queue.Leaving.heard, row.heard), (.skipped, row.skipped)] {
            var queue = try Self.queue(3, row.modes)
            for id in ids {
                let next = queue.follower()
                if leaving == .heard { #expect(next == id) }
                let hasMoved = queue.moveOn(leaving)
                #expect(hasMoved == (id != nil))
                if id != nil { #expect(queue.current?.id == id) }
            }
            if leaving == .skipped { #expect(queue.count == row.left) }
        }
    }

    @Test func repeatOneLeavesAnEntryThatFails() throws {
        var queue = try Self.queue(2, QueueModes(repeats: .one))
        #expect(queue.moveOn(.failed) && queue.current?.id == 2)
    }

    @Test func whatFailedIsNotConsumed() throws {
        var queue = try Self.queue(2, QueueModes(isConsuming: true))
        #expect(queue.moveOn(.failed) && queue.count == 2)
        #expect(queue.moveOn(.heard) == false && queue.ids == [1])
    }

    @Test func beforeTheFirstIsTheLastOnlyWhenItRepeats() throws {
        var queue = try Self.queue(3, QueueModes())
        let isAtTheStart = !queue.moveBack()
        #expect(isAtTheStart)
        queue.setModes(QueueModes(repeats: .all))
        #expect(queue.moveBack() && queue.current?.id == 3)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aShuffledRoundHasEveryEntryOnceAndTheWayBackIsTheSame(seed: UInt64) throws {
        var queue = try Self.queue(20, QueueModes(repeats: .all, isShuffled: true), seed: seed)
        var way = [queue.current?.id]
        for _ in 0..<39 {
            let next = queue.follower()
            #expect(queue.moveOn(.heard) && queue.current?.id == next)
            way.append(queue.current?.id)
        }
        #expect(Set(way[..<20]).count == 20 && Set(way[20...]).count == 20 && way[19] != way[20])
        for id in way.dropLast().reversed() {
            #expect(queue.moveBack() && queue.current?.id == id)
        }
    }

    @Test func aShuffledRoundEnds() throws {
        var queue = try Self.queue(5, QueueModes(isShuffled: true))
        for _ in 0..<4 { #expect(queue.moveOn(.skipped) == true) }
        #expect(queue.follower() == nil && queue.moveOn(.heard) == false)
        queue.rewind()
        #expect(queue.index == 0 && queue.round?.current == 1)
        #expect(queue.moveBack() == false && queue.index == 0)
    }

    @Test func whatTheUserChoosesComesNextInTheRoundAndNothingTwice() throws {
        var queue = try Self.queue(10, QueueModes(isShuffled: true), seed: 3)
        #expect(queue.moveOn(.heard) && queue.moveOn(.heard))
        let before = queue.current?.id
        let chosen = try #require(queue.round?.ids.last)
        queue.select(try #require(queue.index(of: chosen)))
        #expect(queue.current?.id == chosen && queue.round?.place == 3)
        #expect(queue.moveBack() && queue.current?.id == before)
        #expect(queue.round.map { Set($0.ids).count } == 10)
    }

    @Test func whatIsInsertedNextIsHeardNext() throws {
        var queue = try Self.queue(10, QueueModes(isShuffled: true), seed: 4)
        #expect(queue.moveOn(.heard) == true)
        let ids = try queue.insert(
            [NewEntry(url: "/x.mp3"), NewEntry(url: "/y.mp3")], at: 3, isNext: true)
        #expect(queue.follower() == ids[0] && queue.moveOn(.heard) && queue.follower() == ids[1])
    }

    @Test func whatIsAddedLaterIsStillToCome() throws {
        var queue = try Self.queue(6, QueueModes(isShuffled: true), seed: 5)
        for _ in 0..<5 { #expect(queue.moveOn(.heard) == true) }
        let ids = try queue.insert((0..<9).map { NewEntry(url: "/new\($0).mp3") }, at: 0)
        var heard: Set<Int64> = []
        while queue.moveOn(.heard) { heard.insert(queue.current?.id ?? 0) }
        #expect(heard == Set(ids))
    }

    @Test func shufflingTheQueueKeepsTheCurrentEntryAndPutsItFirst() throws {
        var queue = try Self.queue(50, QueueModes(), seed: 6)
        queue.select(30)
        queue.shuffle()
        #expect(queue.index == 0 && queue.current?.id == 31 && queue.ids.sorted() == Array(1...50))
        #expect(queue.ids != Array(1...50))
    }

    @Test func everyPlaceIsAsLikelyAsAnyOther() throws {
        var counts = [Int](repeating: 0, count: 5)
        for seed in 0..<2_000 as Range<UInt64> {
            var queue = try Self.queue(1, QueueModes(isShuffled: true), seed: seed)
            _ = try queue.insert((0..<2).map { NewEntry(url: "/a\($0)") }, at: nil)
            _ = try queue.insert((0..<3).map { NewEntry(url: "/b\($0)") }, at: nil)
            let place = try #require(queue.round?.ids.firstIndex(of: 4))
            counts[place - 1] += 1
        }
        // 400 each are to be expected; 5 standard deviations are 90.
        #expect(counts.allSatisfy { (310...490).contains($0) }, "\(counts)")
    }

    @Test func aRoundThatWasSavedGoesOnWithWhatIsThere() throws {
        var queue = try Self.queue(6, QueueModes(repeats: .all, isShuffled: true), seed: 8)
        #expect(queue.moveOn(.heard) && queue.moveOn(.heard))
        let saved = try #require(queue.round?.ids)
        let entries = queue.ids.compactMap { queue[$0] }
        var restored = Queue(seed: 9)
        restored.restore(
            entries, index: queue.index, nextID: queue.nextID, modes: queue.modes, round: saved + [77])
        #expect(restored.round?.ids == saved && restored.current == queue.current)
        #expect(try restored.insert([NewEntry(url: "/n")], at: nil) == [7])
        var shorter = Queue(seed: 9)
        shorter.restore(entries, index: 2, nextID: 50, modes: queue.modes, round: Array(saved.prefix(2)))
        #expect(shorter.round?.ids.sorted() == Array(1...6) && shorter.nextID == 50)
    }

    // MARK: Against a naive model

    /// What is known of a shuffled queue in the plainest terms: who was heard in this round, and in which order.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func nothingIsHeardTwiceInARoundWhateverHappensToTheQueue(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = try Self.queue(8, QueueModes(isShuffled: true), seed: seed)
        var heard: [Int64] = queue.current.map { [$0.id] } ?? []
        for step in 0..<600 {
            switch random.below(8) {
            case 0:
                _ = try queue.insert(
                    (0..<random.below(4)).map { NewEntry(url: "/\($0)") }, at: random.below(9))
                if heard.isEmpty { heard = queue.current.map { [$0.id] } ?? [] }
            case 1:
                let gone = (0..<random.below(3)).compactMap { _ in queue.ids.randomElement(using: &random) }
                let removal = try queue.remove(gone)
                heard.removeAll { gone.contains($0) }
                if removal == .successor, let id = queue.current?.id { heard.append(id) }
                if removal == .pastEnd { heard = queue.current.map { [$0.id] } ?? [] }
            case 2:
                try queue.move(
                    queue.ids.randomElement(using: &random).map { [$0] } ?? [], to: random.below(9))
            case 3: queue.shuffle()
            default:
                let next = queue.follower()
                let moved = queue.moveOn(.heard)
                #expect(moved == (heard.count < queue.count), "step \(step)")
                guard moved, let id = queue.current?.id else {
                    queue.rewind()
                    heard = queue.current.map { [$0.id] } ?? []
                    continue
                }
                #expect(id == next && !heard.contains(id), "step \(step)")
                heard.append(id)
            }
            #expect(queue.round?.ids.sorted() == queue.ids.sorted(), "step \(step)")
            #expect(queue.round.map { Array($0.ids.prefix($0.place + 1)) } == heard, "step \(step)")
            #expect(queue.round?.current == queue.current?.id, "step \(step)")
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func whatIsNotedGivesTheSameQueue(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = Queue(seed: seed)
        queue.isRecording = true
        var copy: [QueueEntry] = []
        for step in 0..<500 {
            let ids = (0..<random.below(4)).compactMap { _ in queue.ids.randomElement(using: &random) }
            switch random.below(9) {
            case 0, 1, 2:
                let items = (0..<random.below(5)).map { NewEntry(url: "/\(step)-\($0)") }
                _ = try queue.insert(items, at: random.below(30))
            case 3: _ = try queue.remove(ids)
            case 4: try queue.move(Array(Set(ids)), to: random.below(30))
            case 5: queue.shuffle()
            case 6: for id in ids { queue.update(id) { $0.artist = "artist \(step)" } }
            case 7:
                let items = (0..<random.below(3)).map { NewEntry(url: "/r\(step)-\($0)") }
                if let id = ids.first { _ = try queue.replace(id, with: items) }
            default: if random.below(10) == 0 { queue.clear() }
            }
            for edit in queue.takeEdits() { Self.apply(edit, to: &copy) }
            #expect(copy == queue.ids.compactMap { queue[$0] }, "step \(step)")
        }
    }

    private static func apply(_ edit: QueueEdit, to copy: inout [QueueEntry]) {
        func find(_ ids: [Int64]) -> [QueueEntry] { ids.compactMap { id in copy.first { $0.id == id } } }
        switch edit {
        case .insert(let entries, let at): copy.insert(contentsOf: entries, at: at)
        case .remove(let ids): copy.removeAll { ids.contains($0.id) }
        case .move(let ids, let to):
            let moved = find(ids)
            copy.removeAll { ids.contains($0.id) }
            copy.insert(contentsOf: moved, at: to)
        case .reorder(let ids): copy = find(ids)
        case .update(let entry): copy = copy.map { $0.id == entry.id ? entry : $0 }
        case .clear: copy = []
        }
    }
}
