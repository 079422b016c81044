import Base
import Player
import Testing

/// The anchor of `player.position`: it changes only where the line breaks.
@Suite struct PlayerPositionTests {
    private static func playing() throws -> Bench {
        let bench = try Bench(["/a.mp3"])
        try bench.player.play()
        bench.sound()
        _ = bench.table.takeChanges()
        return bench
    }

    @Test func nothingIsToldWhileASongJustPlays() throws {
        let bench = try Self.playing()
        for second in 1...20 {
            bench.timing.advance(1)
            bench.hear(at: Double(second) + 0.09)
        }
        #expect(bench.table.takeChanges().isEmpty)
        #expect(bench.player.position == 20)
    }

    @Test func aDriftOfATenthOfASecondIsTold() throws {
        let bench = try Self.playing()
        bench.timing.advance(10)
        bench.hear(at: 9.85)
        #expect(bench.table.takeChanges().map(\.key) == ["player.position"])
        #expect(bench["player.position"] == #"{"seconds":9.85,"at":1700000015,"monotonic":1015,"rate":1}"#)
    }

    @Test func anEventThatCameLateIsDatedBack() throws {
        let bench = try Self.playing()
        let heard = bench.timing.now
        bench.timing.advance(0.5)
        bench.tell(.clock(1, seconds: 5, at: heard, isRunning: true))
        #expect(bench["player.position"] == #"{"seconds":5,"at":1700000005,"monotonic":1005,"rate":1}"#)
        #expect(bench.player.position == 5.5)
    }

    @Test func aPauseStandsAtOnceAndIsCorrectedOnlyIfWrong() throws {
        let bench = try Self.playing()
        bench.timing.advance(7)
        bench.player.pause()
        #expect(
            bench["player.position"].hasPrefix(#"{"seconds":7,"#) && bench["player.position"].hasSuffix("0}"))
        _ = bench.table.takeChanges()
        bench.fallSilent(at: 7.004)
        #expect(bench.table.takeChanges().isEmpty)
        bench.fallSilent(at: 7.2)
        #expect(bench.player.position == 7.2)
    }

    @Test func theAnchorFollowsAClockThatWasSet() throws {
        let bench = try Self.playing()
        bench.timing.advance(3)
        bench.player.wallClockChanged()
        #expect(bench["player.position"] == #"{"seconds":3,"at":1700000008,"monotonic":1008,"rate":1}"#)
    }

    @Test func thePositionStopsAtTheEnd() throws {
        let bench = try Self.playing()
        bench.timing.advance(150)
        bench.player.pause()
        #expect(bench.player.position == 100)
    }
}
