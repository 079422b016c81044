import Base
import Player
import Testing

/// What the modes do to what plays.
@Suite struct PlayerModesTests {
    private static func playing(_ modes: QueueModes, _ count: Int = 3) throws -> Bench {
        let bench = try Bench((0..<count).map { "/\($0).mp3" })
        bench.player.setModes(modes)
        try bench.player.play()
        bench.sound()
        _ = bench.engine.take()
        return bench
    }

    @Test func theModesAreProperties() throws {
        let bench = try Bench()
        for (key, value) in [
            ("player.repeat", JSONValue.string("one")), ("player.shuffle", .bool(true)),
            ("player.consume", .bool(true)),
        ] {
            try #require(bench.table.settable[key]).prepare(value)()
            #expect(bench[key] == JSONText(value).string)
        }
        #expect(bench.player.queue.modes == QueueModes(repeats: .one, isShuffled: true, isConsuming: true))
    }

    @Test(arguments: [
        ("player.repeat", JSONValue.string("some")), ("player.repeat", .bool(true)), ("player.repeat", .null),
        ("player.shuffle", .string("on")), ("player.consume", .integer(1)),
    ])
    func whatIsNoModeIsRefused(key: String, value: JSONValue) throws {
        let setting = try #require(try Bench().table.settable[key])
        #expect(throws: CommandFailure.self) { _ = try setting.prepare(value) }
    }

    @Test func repeatOnePreparesTheSameEntryAndPlaysItWithoutASeam() throws {
        let bench = try Self.playing(QueueModes(repeats: .one))
        bench.tell(.decoded(1))
        #expect(bench.engine.take() == [.prepare(2, "/0.mp3")])
        bench.tell(.information(2, Bench.file), .opened(2, Bench.stream(seconds: 100)))
        bench.engine.startNext()
        bench.tell(.itemStarted(2, seconds: 0, at: bench.timing.now))
        #expect(bench.state == #""playing""# && bench["queue.index"] == "0" && bench["item.entry"] == "1")
    }

    @Test func repeatAllPreparesTheFirstAfterTheLast() throws {
        let bench = try Self.playing(QueueModes(repeats: .all))
        try bench.player.play(.index(2))
        bench.sound()
        _ = bench.engine.take()
        bench.tell(.decoded(bench.token))
        #expect(bench.engine.take() == [.prepare(3, "/0.mp3")])
    }

    @Test func aChangeOfModesDropsWhatWasPreparedAndPreparesWhatFollowsNow() throws {
        let bench = try Self.playing(QueueModes())
        bench.tell(.decoded(1))
        #expect(bench.engine.take() == [.prepare(2, "/1.mp3")])
        bench.player.setModes(QueueModes(repeats: .one))
        #expect(bench.engine.take() == [.cancelNext, .prepare(3, "/0.mp3")])
    }

    @Test func whatWasHeardIsConsumed() throws {
        let bench = try Self.playing(QueueModes(isConsuming: true))
        bench.tell(.decoded(1))
        bench.tell(.information(2, Bench.file), .opened(2, Bench.stream(seconds: 100)))
        bench.engine.startNext()
        bench.tell(.itemStarted(2, seconds: 0, at: bench.timing.now))
        #expect(bench.player.queue.ids == [2, 3] && bench["queue.index"] == "0")
        try bench.player.next()
        #expect(bench.player.queue.ids == [3])
        bench.sound()
        bench.tell(.ended(bench.token))
        #expect(bench.player.queue.ids == [] && bench.state == #""stopped""# && bench["item.url"] == "null")
    }

    @Test(arguments: [QueueModes.Repeat.off, .all, .one], [false, true])
    func aQueueOfNothingButFailuresStopsAfterOneRound(repeats: QueueModes.Repeat, isShuffled: Bool) throws {
        let bench = try Bench((0..<7).map { "/\($0).mp3" })
        bench.player.setModes(QueueModes(repeats: repeats, isShuffled: isShuffled))
        try bench.player.play()
        var tries = 0
        while bench.state != #""stopped""#, tries < 100 {
            tries += 1
            bench.tell(.failed(bench.token, PlaybackFailure(.corrupt, "It is broken.")))
        }
        #expect(tries == 7 && bench["queue.index"] == "0")
        #expect(try bench.player.list().entries.allSatisfy { $0.error != nil })
    }

    @Test(arguments: [QueueModes.Repeat.all, .one])
    func whatEndsWithoutASoundDoesNotSpin(repeats: QueueModes.Repeat) throws {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        bench.player.setModes(QueueModes(repeats: repeats))
        try bench.player.play()
        var ends = 0
        while bench.state != #""stopped""#, ends < 100 {
            ends += 1
            bench.tell(.information(bench.token, Bench.file), .opened(bench.token, Bench.stream(seconds: 0)))
            bench.tell(.ended(bench.token))
        }
        #expect(ends == 2)
    }
}
