import Player
import Testing

@Suite struct PlayerMemoryTests {
    @Test func whetherItPlaysAndWhereIsNotWaitedFor() {
        var before = PlayerMemory()
        before.index = 1
        var after = before
        after.wish = .playing
        after.position = 12
        #expect(after.differsInPlayAlone(from: before))
        #expect(before.differsInPlayAlone(from: before))
    }

    @Test(
        arguments: [
            { $0.index = 2 }, { $0.nextID = 7 }, { $0.volume = 40 }, { $0.isMuted = true },
            { $0.modes.isShuffled = true },
        ] as [@Sendable (inout PlayerMemory) -> Void])
    func whatElseChangedIsWaitedFor(_ change: @Sendable (inout PlayerMemory) -> Void) {
        let before = PlayerMemory()
        var after = before
        after.wish = .playing
        change(&after)
        #expect(!after.differsInPlayAlone(from: before))
    }
}
