import Base
import Player
import Testing

@Suite struct PlayerSeekTests {
    private static func playing() throws -> Bench {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        try bench.player.play()
        bench.sound()
        _ = bench.engine.take()
        return bench
    }

    @Test func aSeekIsHeardWhereItLanded() throws {
        let bench = try Self.playing()
        try bench.player.seek(.to(30))
        #expect(bench.engine.take() == [.run(false), .seek(1, 30, serial: 1)])
        #expect(bench.reason == #""seeking""# && bench.player.position == 30)
        bench.fallSilent(at: 1)
        #expect(bench.player.position == 30)
        bench.tell(.seeked(1, serial: 1, seconds: 29.98))
        #expect(bench.engine.take() == [.run(true)] && bench.player.position == 29.98)
        bench.hear(at: 29.98)
        #expect(bench.state == #""playing""#)
    }

    @Test func seekingByCountsFromTheTargetUnderWay() throws {
        let bench = try Self.playing()
        try bench.player.seek(.to(30))
        bench.timing.advance(1)
        try bench.player.seek(.by(10))
        try bench.player.seek(.by(-60))
        let seeks = bench.engine.take().dropFirst()
        #expect(seeks == [.seek(1, 30, serial: 1), .seek(1, 40, serial: 2), .seek(1, 0, serial: 3)])
        bench.tell(.seeked(1, serial: 1, seconds: 30))
        #expect(bench.reason == #""seeking""# && bench.engine.take().isEmpty && bench.player.position == 0)
    }

    @Test func seekingAtOrPastTheEndEndsTheItem() throws {
        let bench = try Self.playing()
        try bench.player.seek(.to(100))
        #expect(bench["queue.index"] == "1" && bench.state == #""buffering""#)
        bench.sound()
        bench.player.pause()
        try bench.player.seek(.by(1_000))
        #expect(bench["queue.index"] == "0" && bench.state == #""stopped""# && bench.player.position == 0)
    }

    @Test func seekingWhileStoppedSetsWherePlayBegins() throws {
        let bench = try Bench(["/a.mp3"])
        try bench.player.seek(.to(30))
        try bench.player.seek(.by(5))
        #expect(bench.state == #""stopped""# && bench.player.position == 35 && bench.engine.take().isEmpty)
        try bench.player.play()
        #expect(bench.engine.take() == [.open(1, "/a.mp3", 35)] && bench.player.position == 35)
        bench.player.stop()
        #expect(bench.player.position == 0)
    }

    @Test func seekingWhilePausedStaysPaused() throws {
        let bench = try Self.playing()
        bench.player.pause()
        try bench.player.seek(.to(50))
        bench.tell(.seeked(1, serial: 1, seconds: 50))
        #expect(bench.state == #""paused""# && !bench.engine.isRunning && bench.player.position == 50)
        try bench.player.play()
        #expect(bench.engine.isRunning)
    }

    @Test func whatCannotSeekSaysSo() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.information(1, ContentInformation()), .opened(1, Bench.stream(isSeekable: false)))
        #expect { try bench.player.seek(.to(1)) } throws: { ($0 as? CommandFailure)?.code == .unsupported }
        #expect { try bench.player.seek(.live) } throws: { ($0 as? CommandFailure)?.code == .unsupported }
        #expect { try bench.player.seek(.to(.nan)) } throws: {
            ($0 as? CommandFailure)?.code == .invalidParams
        }
        #expect(bench["item.seekable"] == "false" && bench["item.seekableRanges"] == "[]")
    }

    @Test func aSeekDuringTheConnectionWaitsOrIsForgotten() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        try bench.player.seek(.to(30))
        #expect(bench.player.position == 30 && bench.reason == #""connecting""#)
        bench.tell(.information(1, ContentInformation(isSeekable: true)), .opened(1, Bench.stream()))
        #expect(bench.engine.take() == [.open(1, "http://h/a", 0), .seek(1, 30, serial: 1)])
        try bench.player.play(.index(0))
        try bench.player.seek(.to(30))
        bench.tell(.information(2, ContentInformation()), .opened(2, Bench.stream(isSeekable: false)))
        #expect(bench.engine.take() == [.open(2, "http://h/a", 0)] && bench.player.position == 0)
    }

    @Test func aPausedStationGoesToItsLiveEnd() throws {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        bench.tell(.information(1, Bench.station), .opened(1, Bench.stream(seconds: nil, isSeekable: false)))
        #expect { try bench.player.seek(.to(1)) } throws: { ($0 as? CommandFailure)?.code == .unsupported }
        try bench.player.seek(.live)
        #expect(bench.engine.take() == [.open(1, "http://h/a", 0)])
        bench.player.pause()
        try bench.player.seek(.live)
        #expect(bench.engine.take() == [.close])
        try bench.player.play()
        #expect(bench.engine.take() == [.open(2, "http://h/a", 0)])
    }

    /// A station that keeps what lies between those seconds.
    private func shifted(_ from: Double, _ to: Double) throws -> Bench {
        let bench = try Bench(["http://h/a"])
        try bench.player.play()
        var station = Bench.station
        station.isSeekable = true
        var status = BufferStatus(secondsAhead: 5, loadedRanges: [from...to])
        status.seekableRanges = status.loadedRanges
        bench.tell(.information(1, station), .opened(1, Bench.stream(seconds: nil)), .buffer(1, status))
        bench.hear(at: to - 5)
        _ = bench.engine.take()
        return bench
    }

    @Test(arguments: [
        (SeekTarget.to(50), 50.0), (.by(-30), 65), (.to(1), 10), (.by(1000), 100), (.live, 100),
        (.to(-3), 10),
    ])
    func aStationIsSoughtInWhatIsKeptOfIt(target: SeekTarget, expected: Double) throws {
        let bench = try shifted(10, 100)
        #expect(bench["item.seekable"] == "true" && bench["item.seekableRanges"] == "[[10,100]]")
        try bench.player.seek(target)
        #expect(bench.engine.take() == [.run(false), .seek(1, expected, serial: 1)])
        #expect(bench.state == #""buffering""# && bench.reason == #""seeking""#)
        bench.tell(.seeked(1, serial: 1, seconds: expected - 2))
        #expect(bench.player.position == expected - 2)
    }

    @Test func aPausedStationGoesToItsLiveEndAndStaysPaused() throws {
        let bench = try shifted(10, 100)
        bench.player.pause()
        try bench.player.seek(.live)
        #expect(bench.state == #""paused""#)
        #expect(bench.engine.take().contains(.seek(1, 100, serial: 1)))
    }

    @Test func theEntryBeforeAStationIsOneStepBack() throws {
        let bench = try shifted(10, 100)
        try bench.player.previous()
        #expect(bench.state == #""stopped""#)
    }
}
