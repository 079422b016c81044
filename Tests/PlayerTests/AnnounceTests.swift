import Base
import Player
import Testing

/// Announcements, the sleep timer, and becoming loud.
@Suite struct AnnounceTests {
    private static func playing() throws -> Bench {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        try bench.player.play()
        bench.sound()
        bench.timing.advance(12)
        _ = bench.engine.take()
        return bench
    }

    /// The open item, an announcement, is heard and ends.
    private static func speak(_ bench: Bench) {
        bench.sound(seconds: 2, title: "Dinner")
        bench.tell(.ended(bench.token))
    }

    @Test func whatPlayedGoesOnWhereItWas() throws {
        let bench = try Self.playing()
        try bench.player.announce(NewEntry(url: "/bell.mp3", title: "Bell"), volume: 80)
        #expect(bench.engine.take() == [.run(false), .open(2, "/bell.mp3", 0), .gain(80, false)])
        #expect(bench["player.announcing"] == "true" && bench["item.title"] == #""Bell""#)
        #expect(bench["item.entry"] == "null" && bench["queue.index"] == "0")
        bench.sound(seconds: 2)
        #expect(bench.state == #""playing""#)
        bench.tell(.decoded(bench.token))
        _ = bench.engine.take()
        bench.tell(.ended(bench.token))
        #expect(bench.engine.take() == [.run(false), .open(3, "/a.mp3", 12), .gain(100, false)])
        #expect(bench["player.announcing"] == "false" && bench["item.entry"] == "1")
        #expect(bench.player.position == 12)
    }

    @Test func whatWasPausedIsPausedThere() throws {
        let bench = try Self.playing()
        bench.player.pause()
        bench.fallSilent(at: 12)
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        #expect(bench.state == #""buffering""#)
        Self.speak(bench)
        #expect(bench.state == #""paused""# && bench.player.position == 12 && bench.engine.current == nil)
        _ = bench.engine.take()
        try bench.player.play()
        #expect(bench.engine.take().first == .open(3, "/a.mp3", 12))
    }

    @Test func whatWasStoppedIsStopped() throws {
        let bench = try Bench(["/a.mp3"])
        try bench.player.seek(.to(7))
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        Self.speak(bench)
        #expect(bench.state == #""stopped""# && bench.player.position == 7)
        #expect(bench.engine.take().contains(.stopOutput) && bench.timing.armed.isEmpty)
        let empty = try Bench()
        try empty.player.announce(NewEntry(url: "/bell.mp3"))
        Self.speak(empty)
        #expect(empty.state == #""stopped""# && empty["item.url"] == "null")
    }

    @Test func severalComeOneAfterTheOtherAndThenWhatWasBefore() throws {
        let bench = try Self.playing()
        for name in ["/1.mp3", "/2.mp3", "/3.mp3"] { try bench.player.announce(NewEntry(url: name)) }
        var opened: [String] = []
        for _ in 0..<3 { Self.speak(bench) }
        for case .open(_, let url, _) in bench.engine.take() { opened.append(url) }
        #expect(opened == ["/1.mp3", "/2.mp3", "/3.mp3", "/a.mp3"] && bench.player.position == 12)
    }

    @Test func oneThatFailsIsToldAndLeft() throws {
        let bench = try Self.playing()
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        bench.tell(.failed(bench.token, PlaybackFailure(.fileNotFound, "There is no /bell.mp3.")))
        #expect(bench["item.entry"] == "1" && bench["player.error"].contains("/bell.mp3"))
        #expect(bench["player.error"].contains(#""entry":null"#))
        bench.sound()
        #expect(bench.state == #""playing""# && bench["player.error"].contains("/bell.mp3"))
    }

    @Test func aCommandEndsIt() throws {
        let bench = try Self.playing()
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        try bench.player.announce(NewEntry(url: "/bell2.mp3"))
        bench.player.pause()
        #expect(bench.state == #""paused""# && bench["item.entry"] == "1" && bench.player.position == 12)
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        try bench.player.toggle()
        #expect(bench.state == #""paused""# && bench["player.announcing"] == "false")
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        bench.player.stop()
        #expect(bench.state == #""stopped""# && bench.engine.current == nil)
    }

    @Test func theQueueCanBeEditedMeanwhile() throws {
        let bench = try Self.playing()
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        try bench.player.remove([1])
        #expect(bench["player.announcing"] == "true")
        Self.speak(bench)
        #expect(bench["item.entry"] == "2" && bench.player.position == 0 && bench.state == #""buffering""#)
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        try bench.player.clear()
        Self.speak(bench)
        #expect(bench.state == #""stopped""#)
    }

    @Test func whatIsKeptMeanwhileIsWhatWasBefore() throws {
        let bench = try Self.playing()
        let before = bench.player.memory
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        bench.sound(seconds: 3)
        #expect(bench.player.memory == before && bench.player.heard == nil)
    }

    @Test(arguments: ["", "gopher://x", "relative.mp3"])
    func whatCannotBePlayedIsRefused(url: String) throws {
        let bench = try Self.playing()
        #expect(throws: CommandFailure.self) { try bench.player.announce(NewEntry(url: url)) }
        #expect(throws: CommandFailure.self) {
            try bench.player.announce(NewEntry(url: "/bell.mp3"), volume: 101)
        }
        #expect(bench["player.announcing"] == "false")
    }

    // MARK: Sleeping

    @Test func itBecomesQuietAndPauses() throws {
        let bench = try Self.playing()
        bench.player.setSleep(at: bench.timing.unixTime + 40)
        #expect(bench.player.sleepCheckAt == bench.timing.unixTime + 10 && bench.engine.take() == [])
        bench.timing.advance(10.5)
        bench.player.checkSleep()
        bench.timing.advance(15)
        guard case .gain(let half, false)? = bench.engine.take().last else {
            Issue.record("no gain")
            return
        }
        #expect((40...60).contains(half) && bench["player.volume"] == "100")
        bench.timing.advance(15)
        #expect(bench.state == #""paused""# && bench["player.sleepAt"] == "null")
        #expect(bench.engine.take().last == .gain(100, false) && bench.player.sleepCheckAt == nil)
    }

    @Test func takingTheTimerAwayMakesItLoudAgain() throws {
        let bench = try Self.playing()
        bench.player.setSleep(at: bench.timing.unixTime + 5)
        bench.timing.advance(1)
        bench.player.setSleep(at: nil)
        #expect(bench.engine.take().last == .gain(100, false))
        bench.timing.advance(60)
        #expect(bench.state == #""playing""#)
    }

    @Test func aClockThatJumpsOverTheTimePausesAtOnce() throws {
        let bench = try Self.playing()
        bench.player.setSleep(at: bench.timing.unixTime + 3_600)
        bench.timing.advance(5_000)
        bench.player.checkSleep()
        #expect(bench.state == #""paused""#)
    }

    @Test func aTimeThatIsPastIsRefused() throws {
        let bench = try Self.playing()
        let setting = try #require(bench.table.settable["player.sleepAt"])
        for value in [JSONValue.integer(5), .string("soon"), .real(.infinity), .bool(true), .real(1e18)] {
            #expect(throws: CommandFailure.self) { _ = try setting.prepare(value) }
        }
        try setting.prepare(.real(bench.timing.unixTime + 100))()
        #expect(bench["player.sleepAt"] != "null")
        try setting.prepare(.null)()
        #expect(bench["player.sleepAt"] == "null")
    }

    @Test func becomingLoudEndsAtTheVolumeAndByTheUsersHand() throws {
        let bench = try Self.playing()
        bench.player.setVolume(60)
        bench.player.fadeIn(over: 10)
        #expect(bench.engine.take().last == .gain(0, false))
        bench.timing.advance(5)
        guard case .gain(let half, false)? = bench.engine.take().last else {
            Issue.record("no gain")
            return
        }
        #expect((25...35).contains(half))
        bench.timing.advance(6)
        #expect(bench.engine.take().last == .gain(60, false))
        bench.player.fadeIn(over: 10)
        try #require(bench.table.settable["player.volume"]).prepare(.integer(40))()
        #expect(bench.engine.take().last == .gain(40, false))
    }

    // MARK: Radio

    /// A station that is heard, with so many seconds kept, at a place in them.
    private static func station(kept: Double, at seconds: Double) throws -> Bench {
        let bench = try Bench(["http://radio/"])
        try bench.player.play()
        var information = Bench.station
        information.isSeekable = true
        bench.tell(
            .information(bench.token, information), .opened(bench.token, Bench.stream(seconds: nil)))
        var status = BufferStatus()
        status.secondsAhead = 5
        status.seekableRanges = [0...kept]
        bench.tell(.buffer(bench.token, status))
        bench.hear(at: seconds)
        _ = bench.engine.take()
        return bench
    }

    @Test func aPausedStationRestsWithWhatItKeeps() throws {
        let bench = try Self.station(kept: 100, at: 30)
        bench.player.pause()
        bench.fallSilent(at: 30)
        _ = bench.engine.take()
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        #expect(bench.engine.take().starts(with: [.setAside, .open(2, "/bell.mp3", 0)]))
        Self.speak(bench)
        #expect(bench.engine.take().contains(.takeUp(1, 30)))
        #expect(bench.state == #""paused""# && bench.player.position == 30 && bench["item.live"] == "true")
        try bench.player.play()
        #expect(bench.engine.current == 1)
    }

    @Test(arguments: [(30.0, 30.0), (95.0, 99.0)])
    func aStationThatPlayedGoesOnAsLateAsItWas(heard: Double, taken: Double) throws {
        let bench = try Self.station(kept: 100, at: heard)
        try bench.player.announce(NewEntry(url: "/bell.mp3"))
        bench.sound(seconds: 2)
        bench.timing.advance(4)
        _ = bench.engine.take()
        bench.tell(.ended(bench.token))
        #expect(bench.engine.take().contains(.takeUp(1, taken)))
    }

    @Test func whatRestsIsFreedWhereItIsNotGoneBackTo() throws {
        let stopped = try Self.station(kept: 100, at: 30)
        try stopped.player.announce(NewEntry(url: "/bell.mp3"))
        try stopped.player.remove([1])
        Self.speak(stopped)
        #expect(stopped.engine.take().contains(.dropAside) && stopped.state == #""stopped""#)
        let moved = try Self.station(kept: 100, at: 30)
        try moved.player.announce(NewEntry(url: "/bell.mp3"))
        _ = moved.engine.take()
        moved.player.stop()
        #expect(moved.engine.current == nil)
    }
}
