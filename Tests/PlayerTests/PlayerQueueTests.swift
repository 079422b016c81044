import Base
import Player
import Testing

/// What playing and the queue do to each other.
@Suite struct PlayerQueueTests {
    private static func playing(_ urls: [String] = ["/a.mp3", "/b.mp3", "/c.mp3"]) throws -> Bench {
        let bench = try Bench(urls)
        try bench.player.play()
        bench.sound()
        _ = bench.engine.take()
        return bench
    }

    @Test func whatFollowsIsFetchedOnceTheCurrentOneIsHere() throws {
        let bench = try Bench(["http://h/a.mp3", "http://h/b.mp3", "http://h/c.mp3"])
        try bench.player.play()
        let remote = ContentInformation(length: 1_000_000, isSeekable: true)
        bench.tell(.information(bench.token, remote), .opened(bench.token, Bench.stream()))
        bench.tell(.buffer(bench.token, BufferStatus(secondsAhead: 30)))
        bench.hear(at: 0)
        #expect(bench.engine.ahead == nil)
        bench.tell(.buffer(bench.token, BufferStatus(secondsAhead: 99, isWhole: true, isFinished: true)))
        #expect(bench.engine.ahead == "http://h/b.mp3")
        // Another one follows by now.
        try bench.player.remove([2])
        #expect(bench.engine.ahead == "http://h/c.mp3")
        bench.player.stop()
        #expect(bench.engine.ahead == nil)
    }

    @Test func removingTheCurrentEntryPlaysItsSuccessor() throws {
        let bench = try Self.playing()
        try bench.player.remove([1])
        #expect(bench.engine.take() == [.run(false), .open(2, "/b.mp3", 0)])
        #expect(bench["queue.index"] == "0" && bench["item.entry"] == "2")
    }

    @Test func removingThePausedEntryKeepsItPaused() throws {
        let bench = try Self.playing()
        bench.player.pause()
        try bench.player.remove([1])
        #expect(bench.state == #""paused""# && bench["item.entry"] == "2")
        #expect(bench.engine.take() == [.run(false), .close])
        try bench.player.play()
        #expect(bench.engine.take() == [.open(2, "/b.mp3", 0)])
    }

    @Test func removingTheLastEntryThatPlaysStops() throws {
        let bench = try Self.playing()
        try bench.player.play(.index(2))
        try bench.player.remove([3])
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
    }

    @Test func removingOthersDisturbsNothing() throws {
        let bench = try Self.playing()
        try bench.player.next()
        _ = bench.engine.take()
        try bench.player.remove([1, 3])
        #expect(bench.engine.take() == [] && bench["queue.index"] == "0" && bench["queue.length"] == "1")
    }

    @Test func clearingStopsAndLeavesNoItem() throws {
        let bench = try Self.playing()
        try bench.player.clear()
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "null")
        for key in bench.table.keys where key.hasPrefix("item.") { #expect(bench[key] == "null", "\(key)") }
        #expect(throws: CommandFailure.self) { try bench.player.play() }
        #expect(throws: CommandFailure.self) { try bench.player.toggle() }
        #expect(throws: CommandFailure.self) { try bench.player.next() }
        #expect(throws: CommandFailure.self) { try bench.player.seek(.to(1)) }
    }

    @Test func openReplacesTheQueue() throws {
        let bench = try Self.playing()
        #expect(try bench.player.open(NewEntry(url: "/n.mp3")) == [4])
        #expect(bench["queue.length"] == "1" && bench["item.url"] == #""/n.mp3""#)
        #expect(bench.engine.take() == [.run(false), .open(2, "/n.mp3", 0)])
        _ = try bench.player.open(NewEntry(url: "/m.mp3"), play: false)
        #expect(bench.state == #""stopped""#)
        #expect(throws: CommandFailure.self) { try bench.player.open(NewEntry(url: "gopher://x")) }
        #expect(bench["item.url"] == #""/m.mp3""#)
    }

    @Test func addingWithPlayPlaysTheFirstOfThem() throws {
        let bench = try Self.playing()
        let ids = try bench.player.add(
            [NewEntry(url: "/x.mp3"), NewEntry(url: "/y.mp3")], at: 99, play: true)
        #expect(ids == [4, 5] && bench["item.entry"] == "4" && bench["queue.index"] == "3")
    }

    @Test func insertNextGoesBehindTheCurrentEntry() throws {
        let bench = try Self.playing()
        _ = try bench.player.insertNext([NewEntry(url: "/x.mp3")])
        #expect(bench.player.queue.ids == [1, 4, 2, 3])
        #expect(throws: CommandFailure.self) { try bench.player.insertNext([], ifRevision: 1) }
    }

    @Test func replacingTheCurrentItemGoesOnWithIt() throws {
        let bench = try Self.playing()
        _ = try bench.player.replaceCurrent(NewEntry(url: "/x.mp3"))
        #expect(bench.player.queue.ids == [4, 2, 3] && bench.state == #""buffering""#)
    }

    @Test func failuresAreSkippedAndKeepTheirError() throws {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        try bench.player.play()
        bench.tell(.failed(1, PlaybackFailure(.fileNotFound, "There is no file /a.mp3.")))
        #expect(bench["queue.index"] == "1" && bench.state == #""buffering""#)
        #expect(bench["player.error"].contains(#""code":"file_not_found""#))
        bench.sound()
        #expect(bench.state == #""playing""# && bench["player.error"].contains("file_not_found"))
        #expect(bench["item.status"] == #""readyToPlay""#)
        bench.player.pause()
        try bench.player.play()
        #expect(bench["player.error"].contains("file_not_found"))
        bench.hear(at: 1)
        #expect(bench["player.error"] == "null")
        #expect(try bench.player.list().entries[0].error?.failure.code == .fileNotFound)
    }

    @Test func aQueueOfFailuresStopsAfterOneRound() throws {
        let bench = try Bench(["/a.mp3", "/b.mp3", "/c.mp3"])
        try bench.player.play()
        for _ in 0..<3 { bench.tell(.failed(bench.token, PlaybackFailure(.corrupt, "It is broken."))) }
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0" && bench.player.position == 0)
        #expect(bench["item.status"] == #""failed""# && bench["player.error"].contains("corrupt"))
        #expect(bench.engine.take().filter { if case .open = $0 { true } else { false } }.count == 3)
    }

    @Test func anEngineThatFailsFromInsideACallDoesNotNest() throws {
        let bench = try Bench((0..<300).map { "/\($0).mp3" })
        bench.engine.onOpen = { [unowned bench] token in
            bench.player.handle(.failed(token, PlaybackFailure(.fileNotFound, "It is not there.")))
        }
        try bench.player.play()
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
        #expect(try bench.player.list(limit: 300).entries.allSatisfy { $0.error != nil })
    }

    @Test func theNextItemIsPreparedAndFollowsWithoutASeam() throws {
        let bench = try Self.playing()
        #expect(bench.engine.take() == [])
        bench.timing.advance(90.5)
        #expect(bench.engine.take() == [.prepare(2, "/b.mp3")])
        bench.tell(.information(2, Bench.file), .opened(2, Bench.stream(seconds: 50, title: "B")))
        #expect(bench["item.title"] == "null")
        bench.engine.startNext()
        bench.tell(.itemStarted(2, seconds: 0, at: bench.timing.now))
        #expect(bench.state == #""playing""# && bench["queue.index"] == "1")
        #expect(bench["item.title"] == #""B""# && bench["item.duration"] == "50")
        #expect(bench.engine.take() == [] && bench.player.position == 0)
    }

    @Test func aPreparedItemThatIsLateIsAwaitedAndNotOpenedAgain() throws {
        let bench = try Self.playing()
        bench.tell(.decoded(1))
        #expect(bench.engine.take() == [.prepare(2, "/b.mp3")])
        bench.engine.startNext()
        bench.tell(.itemAwaited(2))
        #expect(bench.state == #""buffering""# && bench.reason == #""connecting""#)
        #expect(bench["queue.index"] == "1" && bench.player.position == 0)
        #expect(bench.engine.take() == [.run(false)])
        bench.sound(seconds: 50, title: "B")
        #expect(bench.state == #""playing""# && bench["item.title"] == #""B""#)
        #expect(bench.engine.take() == [.run(true)])
    }

    @Test(arguments: [false, true])
    func nextPlaysWhatIsPreparedAsItIs(isNamed: Bool) throws {
        let bench = try Self.playing()
        bench.tell(
            .decoded(1), .information(2, Bench.file), .opened(2, Bench.stream(seconds: 50, title: "B")))
        _ = bench.engine.take()
        if isNamed { try bench.player.play(.index(1)) } else { try bench.player.next() }
        #expect(bench.engine.take() == [.run(false), .playNext])
        #expect(bench.state == #""buffering""# && bench["queue.index"] == "1" && bench.player.position == 0)
        #expect(bench["item.title"] == #""B""# && bench["item.duration"] == "50")
        bench.tell(.buffer(2, BufferStatus(secondsAhead: 50, isWhole: true)))
        bench.hear(at: 0)
        #expect(bench.state == #""playing""# && bench.engine.take().first == .run(true))
    }

    @Test func nextOpensWhatIsNotPreparedYetOrNotWished() throws {
        let bench = try Self.playing()
        bench.tell(.decoded(1))
        _ = bench.engine.take()
        try bench.player.next()
        #expect(bench.engine.take() == [.run(false), .open(3, "/b.mp3", 0)])
        let paused = try Self.playing()
        paused.tell(.decoded(1), .information(2, Bench.file), .opened(2, Bench.stream(seconds: 50)))
        paused.player.pause()
        _ = paused.engine.take()
        try paused.player.next()
        #expect(paused.engine.take() == [.close] && paused.engine.current == nil)
    }

    @Test func aShortItemThatWasDecodedBeforeItsTurnIsFollowedToo() throws {
        let bench = try Self.playing()
        bench.tell(
            .decoded(1), .information(2, Bench.file), .opened(2, Bench.stream(seconds: nil)), .decoded(2))
        _ = bench.engine.take()
        bench.engine.startNext()
        bench.tell(.itemStarted(2, seconds: 0, at: bench.timing.now))
        #expect(bench.engine.take() == [.prepare(3, "/c.mp3")])
    }

    @Test func whatWasPreparedIsDroppedWhenTheQueueChanges() throws {
        let bench = try Self.playing()
        bench.tell(.decoded(1))
        #expect(bench.engine.take() == [.prepare(2, "/b.mp3")])
        try bench.player.move([3], to: 1)
        #expect(bench.engine.take() == [.cancelNext, .prepare(3, "/c.mp3")])
        bench.tell(.failed(3, PlaybackFailure(.corrupt, "It is broken.")))
        #expect(bench.engine.take() == [.cancelNext] && bench["player.error"] == "null")
        bench.tell(.ended(1))
        #expect(bench.engine.take() == [.run(false), .open(4, "/c.mp3", 0)])
    }

    @Test func manyEntriesAreNoTrouble() throws {
        let bench = try Self.playing()
        let items = (0..<5_000).map { NewEntry(url: "/\($0).mp3") }
        _ = try bench.player.add(items)
        for _ in 0..<5 {
            _ = try bench.player.insertNext([NewEntry(url: "/x.mp3")])
            try bench.player.move([3_000], to: 3)
            try bench.player.remove([bench.player.queue.ids[500]])
        }
        #expect(bench.player.queue.count == 5_003)
    }
}
