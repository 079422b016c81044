import Base
import Player
import Testing

/// What a key does that is held.
@Suite struct PlayerScanTests {
    private static func playing() throws -> Bench {
        let bench = try Bench(["/a.mp3", "/b.mp3"])
        try bench.player.play()
        bench.sound()
        bench.timing.advance(20)
        _ = bench.engine.take()
        return bench
    }

    @Test func whatWasHeardLastGoesOn() throws {
        let bench = try Self.playing()
        try bench.player.beginScan(.forward)
        #expect(bench.engine.take() == [.scan(1, .forward)])
        bench.hear(at: 34)
        bench.player.endScan()
        #expect(bench.engine.take().last == .seek(1, 34, serial: 1))
        bench.player.endScan()
        #expect(bench.engine.take() == [])
    }

    @Test func whatWasPausedIsPausedAgain() throws {
        let bench = try Self.playing()
        bench.player.pause()
        bench.fallSilent(at: 20)
        try bench.player.beginScan(.backward)
        #expect(bench.player.machine.wish == .playing)
        bench.player.endScan()
        #expect(bench.player.machine.wish == .paused)
    }

    @Test func aScanThatNobodyEndsDoesSoByItself() throws {
        let bench = try Self.playing()
        try bench.player.beginScan(.forward)
        _ = bench.engine.take()
        bench.timing.advance(9.9)
        #expect(bench.engine.take() == [])
        bench.timing.advance(0.2)
        #expect(bench.engine.serial == 1)
    }

    @Test func onlyItsOwnClientEndsItByGoing() throws {
        let bench = try Self.playing()
        try bench.player.beginScan(.forward, for: 1)
        _ = bench.engine.take()
        bench.player.endScan(of: 2)
        #expect(bench.engine.take() == [])
        bench.player.endScan(of: 1)
        #expect(bench.engine.serial == 1)
    }

    @Test func aSecondOneScansAnewAndOtherCommandsEndIt() throws {
        let bench = try Self.playing()
        try bench.player.beginScan(.forward)
        try bench.player.beginScan(.backward)
        #expect(bench.engine.take().last == .scan(1, .backward))
        bench.player.pause()
        #expect(bench.engine.serial == 2 && bench.player.machine.wish == .paused)
        bench.player.endScan()
        #expect(bench.engine.serial == 2)
    }

    @Test func whatIsStillBeingOpenedIsScannedOnceItIs() throws {
        let bench = try Bench(["/a.mp3"])
        try bench.player.beginScan(.forward)
        #expect(bench.engine.take() == [])
        try bench.player.play()
        try bench.player.beginScan(.forward)
        _ = bench.engine.take()
        bench.sound()
        #expect(bench.engine.take().contains(.scan(1, .forward)))
    }

    @Test func whatCannotSeekCannotBeScanned() throws {
        let bench = try Bench()
        #expect { try bench.player.beginScan(.forward) } throws: {
            ($0 as? CommandFailure)?.code == .invalidState
        }
        _ = try bench.player.add([NewEntry(url: "http://h.example/a")])
        try bench.player.play()
        bench.tell(.information(1, Bench.station), .opened(1, Bench.stream(seconds: nil, isSeekable: false)))
        #expect { try bench.player.beginScan(.forward) } throws: {
            ($0 as? CommandFailure)?.code == .unsupported
        }
    }
}
