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

    // MARK: Over what plays

    /// An announcement over what plays, and the engine's number for it.
    private static func over(_ bench: Bench, _ url: String = "/bell.mp3", volume: Double? = nil) throws -> Int
    {
        try bench.player.announce(NewEntry(url: url), volume: volume, ducks: true)
        return try #require(bench.engine.announced)
    }

    @Test func whatPlaysGoesOnBeneathIt() throws {
        let bench = try Self.playing()
        let token = try Self.over(bench)
        let volumes = AnnouncementVolumes(announcement: 100, item: 100)
        #expect(bench.engine.take() == [.announce(token, "/bell.mp3", volumes)])
        bench.tell(.announcing(token))
        #expect(bench["player.announcing"] == "true" && bench["item.entry"] == "1")
        #expect(bench.state == #""playing""# && bench["item.url"].contains("a.mp3"))
        bench.timing.advance(3)
        bench.tell(.announced(token))
        #expect(bench["player.announcing"] == "false" && bench.player.position == 15)
        #expect(!bench.engine.take().contains { if case .open = $0 { true } else { false } })
    }

    @Test(arguments: [(80.0, 80.0), (20.0, 40.0)])
    func theOutputsAreAsLoudAsTheLouderOfBothOnceTheItemIsQuiet(volume: Double, both: Double) throws {
        let bench = try Self.playing()
        bench.player.setVolume(40)
        _ = bench.engine.take()
        let token = try Self.over(bench, volume: volume)
        let volumes = AnnouncementVolumes(announcement: volume, item: 40)
        #expect(bench.engine.take() == [.announce(token, "/bell.mp3", volumes)])
        bench.tell(.announcing(token))
        #expect(bench.engine.take() == [.gain(both, false)])
        bench.tell(.announced(token))
        #expect(
            bench.engine.take() == [.endAnnouncement, .gain(40, false)] && bench["player.volume"] == "40")
    }

    @Test func severalAreHeardOverItOneAfterTheOther() throws {
        let bench = try Self.playing()
        let first = try Self.over(bench, "/1.mp3")
        try bench.player.announce(NewEntry(url: "/2.mp3"), ducks: true)
        try bench.player.announce(NewEntry(url: "/3.mp3"))
        bench.tell(.announcing(first), .announced(first))
        let second = try #require(bench.engine.announced)
        #expect(second != first && bench["player.announcing"] == "true" && bench["item.entry"] == "1")
        bench.tell(.announcing(second), .announced(second))
        #expect(bench.engine.announced == nil && bench["item.url"].contains("3.mp3"))
        Self.speak(bench)
        #expect(bench["item.entry"] == "1" && bench["player.announcing"] == "false")
    }

    @Test func whatIsNotHeardIsInterrupted() throws {
        let paused = try Self.playing()
        paused.player.pause()
        paused.fallSilent(at: 12)
        let muted = try Self.playing()
        muted.player.setMuted(true)
        let silent = try Self.playing()
        silent.player.setVolume(0)
        let stalled = try Self.playing()
        stalled.tell(.starved(stalled.token))
        for bench in [paused, muted, silent, stalled, try Bench(["/a.mp3"])] {
            try bench.player.announce(NewEntry(url: "/bell.mp3"), ducks: true)
            #expect(bench.engine.announced == nil && bench["item.url"].contains("bell.mp3"))
        }
    }

    @Test(arguments: ["starved", "ended", "failed", "removed", "cleared", "awaited"])
    func theRestInterruptsWhereWhatItIsOverBreaksOff(how: String) throws {
        let bench = try Self.playing()
        let token = try Self.over(bench)
        bench.tell(.announcing(token))
        if how == "awaited" {
            bench.tell(.decoded(bench.token))
        }
        bench.timing.advance(3)
        _ = bench.engine.take()
        switch how {
        case "starved": bench.tell(.starved(bench.token))
        case "ended": bench.tell(.ended(bench.token))
        case "failed": bench.tell(.failed(bench.token, PlaybackFailure(.corrupt, "It is broken.")))
        case "removed": try bench.player.remove([1])
        case "cleared": try bench.player.clear()
        default:
            let next = try #require(bench.engine.next)
            bench.engine.startNext()
            bench.tell(.itemAwaited(next))
        }
        let opened = bench.engine.take().compactMap {
            if case .open(_, let url, let at) = $0 { (url, at) } else { nil }
        }
        #expect(opened.count == 1 && opened.first?.0 == "/bell.mp3" && opened.first?.1 == 3)
        #expect(bench["player.announcing"] == "true" && bench["item.entry"] == "null")
        Self.speak(bench)
        let entry = how == "cleared" ? "null" : how == "starved" ? "1" : "2"
        #expect(bench["item.entry"] == entry && bench["player.announcing"] == "false")
        #expect(bench.state == (how == "cleared" ? #""stopped""# : #""buffering""#))
        #expect(bench.player.position == (how == "starved" ? 15 : 0))
    }

    @Test func commandsEndOneThatIsOverSomethingBut() throws {
        let commands: [(Player) throws -> Void] = [
            { $0.pause() }, { $0.stop() }, { try $0.toggle() }, { try $0.next() }, { try $0.previous() },
            { try $0.seek(.to(30)) }, { try $0.play(.index(1)) },
            { _ = try $0.open(NewEntry(url: "/o.mp3")) },
        ]
        for command in commands {
            let bench = try Self.playing()
            bench.tell(.announcing(try Self.over(bench)))
            try command(bench.player)
            #expect(bench.engine.announced == nil && bench["player.announcing"] == "false")
            #expect(bench["item.url"].contains("bell") == false)
        }
        let bench = try Self.playing()
        _ = try Self.over(bench)
        try bench.player.play()
        bench.player.setVolume(30)
        #expect(bench.engine.announced != nil)
    }

    @Test func aPauseIsSilentBeforeWhatIsOverItIsTakenOut() throws {
        let bench = try Self.playing()
        bench.tell(.announcing(try Self.over(bench)))
        _ = bench.engine.take()
        bench.player.pause()
        #expect(bench.engine.take().prefix(2) == [.run(false), .endAnnouncement])
        #expect(bench.state == #""paused""# && bench.player.position == 12)
    }

    @Test func oneThatFailsOverSomethingIsToldAndWhatPlaysGoesOn() throws {
        let bench = try Self.playing()
        let token = try Self.over(bench)
        bench.tell(.failed(token, PlaybackFailure(.fileNotFound, "There is no /bell.mp3.")))
        #expect(
            bench["player.error"].contains("/bell.mp3") && bench["player.error"].contains(#""entry":null"#))
        #expect(bench.state == #""playing""# && bench["player.announcing"] == "false")
        #expect(bench["item.status"] == #""readyToPlay""#)
    }

    @Test func aPlaylistOverSomethingIsItsFirstMember() throws {
        let bench = try Self.playing()
        let token = try Self.over(bench, "/bells.m3u")
        let members = PlaylistMembers([NewEntry(url: "/1.mp3"), NewEntry(url: "/2.mp3")])
        bench.tell(.playlist(token, members))
        let next = try #require(bench.engine.announced)
        #expect(bench.engine.take().contains(.announce(next, "/1.mp3", .init(announcement: 100, item: 100))))
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
