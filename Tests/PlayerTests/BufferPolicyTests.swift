import Player
import Testing

@Suite struct BufferPolicyTests {
    private func isEnough(_ policy: BufferPolicy, _ seconds: Double, _ bytesPerSecond: Double? = nil) -> Bool
    {
        policy.isLikelyToKeepUp(
            BufferStatus(secondsAhead: seconds, bytesPerSecond: bytesPerSecond), bitrate: 128_000,
            isLocal: false, isLive: true)
    }

    @Test func aStationThatWasConnectedAnewIsHeardAtOnce() {
        var policy = BufferPolicy()
        #expect(!isEnough(policy, 0.5) && isEnough(policy, 2))
        policy.noteReconnect(isStalled: false)
        #expect(isEnough(policy, 0.5) && !isEnough(policy, 0.4))
        // One that then cannot keep up is slow, and more is wanted.
        policy.noteStall()
        #expect(!isEnough(policy, 2) && isEnough(policy, 4))
    }

    @Test func aDeadConnectionIsNotASlowOne() {
        var policy = BufferPolicy()
        policy.noteStall()
        #expect(policy.target == 4)
        policy.noteReconnect(isStalled: true)
        #expect(policy.target == 2 && isEnough(policy, 0.3, 100_000))
    }
}
