import Base
import Player
import Testing

@Suite struct PlayerTests {
    private static func playing(_ urls: [String] = ["/a.mp3", "/b.mp3"]) throws -> Bench {
        let bench = try Bench(urls)
        try bench.player.play()
        bench.sound()
        _ = bench.engine.take()
        return bench
    }

    @Test func aFilePlaysAndTheQueueEnds() throws {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        #expect(bench.state == #""stopped""#)
        try bench.player.play()
        #expect(bench.state == #""buffering""# && bench.reason == #""connecting""#)
        #expect(bench.engine.take() == [.open(1, "/a.mp3", 0)])
        bench.tell(.information(1, Bench.file), .opened(1, Bench.stream(title: "A")))
        #expect(bench.engine.take() == [.run(true)])
        #expect(bench.state == #""buffering""#)
        bench.hear(at: 0)
        #expect(bench.state == #""playing""# && bench.reason == "null")
        #expect(bench["item.title"] == #""A""# && bench["item.duration"] == "100")
        bench.tell(.ended(1))
        #expect(bench["queue.index"] == "1" && bench.state == #""buffering""#)
        #expect(bench.engine.take() == [.run(false), .open(2, "/b.mp3", 0)])
        bench.sound()
        bench.tell(.ended(2))
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
        #expect(bench.engine.take() == [.run(true), .run(false), .close, .stopOutput])
        #expect(bench.player.position == 0)
        #expect(bench.timing.armed.isEmpty)
    }

    @Test func aRefilledBufferDoesNotStartWhatTheUserPaused() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.receiving(1), .information(1, Bench.station), .opened(1, Bench.stream(seconds: nil)))
        #expect(bench.reason == #""filling""#)
        bench.player.pause()
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 5)))
        #expect(bench.state == #""paused""# && !bench.engine.isRunning)
        try bench.player.play()
        #expect(bench.engine.isRunning)
    }

    @Test func aStallWaitsForTwiceTheBuffer() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.receiving(1), .information(1, ContentInformation()), .opened(1, Bench.stream()))
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 1.9)))
        #expect(!bench.engine.isRunning && bench["buffer.target"] == "2")
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 2)))
        #expect(bench.engine.isRunning)
        bench.hear(at: 0)
        bench.timing.advance(2)
        bench.tell(.buffer(1, BufferStatus()), .starved(1))
        #expect(
            bench.reason == #""stalled""# && bench["buffer.target"] == "4" && bench["buffer.empty"] == "true")
        #expect(bench.player.position == 2)
        bench.tell(.reconnecting(1, attempt: 1, at: 9, reason: "It broke."))
        #expect(bench.reason == #""reconnecting""#)
        #expect(bench["player.retry"] == #"{"attempt":1,"at":9,"reason":"It broke."}"#)
        bench.tell(.receiving(1), .buffer(1, BufferStatus(secondsAhead: 3, bytesPerSecond: 1e6)))
        #expect(bench.reason == #""stalled""# && bench["player.retry"] == "null")
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 4)))
        bench.hear(at: 2)
        #expect(bench.state == #""playing""#)
    }

    @Test func aFastSourceMayStartEarly() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.information(1, ContentInformation()), .opened(1, Bench.stream()))
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 0.3, bytesPerSecond: 20_000)))
        #expect(bench["buffer.likelyToKeepUp"] == "false")
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 0.3, bytesPerSecond: 24_000)))
        #expect(bench["buffer.likelyToKeepUp"] == "true" && bench.engine.isRunning)
    }

    @Test func commandsAskedTwiceChangeNothing() throws {
        let bench = try Self.playing()
        let commands: [() throws -> Void] = [
            { try bench.player.play() }, { bench.player.pause() }, { bench.player.stop() },
        ]
        for command in commands {
            try command()
            _ = bench.table.takeChanges()
            _ = bench.engine.take()
            try command()
            #expect(bench.table.takeChanges().isEmpty && bench.engine.take().isEmpty)
        }
    }

    @Test func nextKeepsAPausedPlayerPausedAndAStoppedOneStopped() throws {
        let bench = try Self.playing()
        bench.player.pause()
        try bench.player.next()
        #expect(bench.state == #""paused""# && bench["queue.index"] == "1")
        bench.player.stop()
        try bench.player.previous()
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
        try bench.player.previous()
        #expect(bench.state == #""stopped""# && bench["queue.index"] == "0")
    }

    @Test func previousRestartsWhatPlayedForMoreThanThreeSeconds() throws {
        let bench = try Self.playing()
        try bench.player.next()
        bench.sound()
        bench.timing.advance(3.5)
        _ = bench.engine.take()
        try bench.player.previous()
        #expect(bench.engine.take() == [.run(false), .seek(2, 0, serial: 1)] && bench["queue.index"] == "1")
        try bench.player.previous()
        #expect(bench["queue.index"] == "0")
    }

    @Test func playingAnEntryThatIsNotThereIsNotFound() throws {
        let bench = try Self.playing()
        for target in [PlayTarget.id(99), .index(2), .index(-1)] {
            #expect { try bench.player.play(target) } throws: { ($0 as? CommandFailure)?.code == .notFound }
        }
        #expect(bench.state == #""playing""# && bench.engine.take().isEmpty)
    }

    @Test func anItemThatFailsWhilePausedIsTriedAgainByPlay() throws {
        let bench = try Self.playing()
        bench.timing.advance(40)
        bench.player.pause()
        bench.tell(.failed(1, PlaybackFailure(.timeout, "No byte came for 10 s.")))
        #expect(
            bench.state == #""paused""# && bench["item.entry"] == "1" && bench["item.status"] == #""failed""#)
        #expect(bench.player.position == 40)
        _ = bench.engine.take()
        try bench.player.play()
        #expect(bench.engine.take() == [.open(2, "/a.mp3", 40)])
    }

    @Test func aDeviceThatIsAwayIsAnErrorUntilItSounds() throws {
        let bench = try Self.playing()
        bench.tell(.deviceWaiting(reason: "The device is gone."))
        #expect(bench.reason == #""device""# && bench["player.error"].contains(#""code":"device""#))
        bench.tell(.deviceReady)
        bench.hear(at: 1)
        #expect(bench.state == #""playing""# && bench["player.error"] == "null")
    }

    @Test func eventsOfOldOpeningsAreDropped() throws {
        let bench = try Self.playing()
        try bench.player.next()
        _ = bench.table.takeChanges()
        bench.tell(.ended(1), .failed(1, PlaybackFailure(.corrupt, "")), .starved(1), .decoded(1))
        #expect(bench.table.takeChanges().isEmpty && bench["queue.index"] == "1")
    }

    @Test func nothingIsArmedWhilePausedOnAWholeItem() throws {
        let bench = try Self.playing()
        bench.timing.advance(5)
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 95, loadedBytes: 5, isWhole: true)))
        bench.tell(.buffer(1, BufferStatus(secondsAhead: 94, loadedBytes: 9, isWhole: true)))
        bench.player.pause()
        #expect(bench.timing.armed.isEmpty && bench["buffer.seconds"] == "94")
    }
}
