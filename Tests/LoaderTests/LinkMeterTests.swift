import Base
import Testing

@testable import Loader

@Suite struct LinkMeterTests {
    /// A meter after a second of a steady flow.
    private func meter(bytesPerSecond: Int, latency: Double) -> LinkMeter {
        var meter = LinkMeter()
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        meter.ask(at: now)
        now = now + .milliseconds(Int64(latency * 1000))
        for _ in 0..<100 {
            meter.take(bytes: bytesPerSecond / 100, at: now)
            now = now + .milliseconds(10)
        }
        return meter
    }

    @Test(arguments: [
        // What a request takes is worth these bytes: throughput × latency.
        (bytesPerSecond: 1_000_000, latency: 0.05, near: 50_000),
        (bytesPerSecond: 1_000_000, latency: 0.5, near: 500_000),
        (bytesPerSecond: 200_000, latency: 0.5, near: 100_000),
        // Never less than a packet or two, never more than one would wait for.
        (bytesPerSecond: 16_000, latency: 0.01, near: 16_384),
        (bytesPerSecond: 100_000_000, latency: 1, near: 4_194_304),
    ])
    func bytesAreWaitedForWhileTheyComeSoonerThanAnAnswer(bytesPerSecond: Int, latency: Double, near: Int64)
        throws
    {
        let measured = try #require(meter(bytesPerSecond: bytesPerSecond, latency: latency).nearBytes)
        #expect(abs(measured - near) <= near / 20)
    }

    @Test func nothingIsKnownBeforeTheFirstBytes() {
        var meter = LinkMeter()
        #expect(meter.nearBytes == nil)
        #expect(meter.patience(for: 1_000_000) == .seconds(1))
        meter.ask(at: .now)
        #expect(meter.nearBytes == nil)
    }

    @Test func whatIsWaitedForMayTakeTwiceAsLongAsItShould() {
        let meter = meter(bytesPerSecond: 100_000, latency: 0.2)
        #expect(abs(meter.patience(for: 100_000).inSeconds - 2.25) < 0.1)
        #expect(meter.patience(for: 1 << 40) == .seconds(10))
    }

    @Test func aRestOfOursIsNoSilenceOfTheServer() {
        var meter = meter(bytesPerSecond: 100_000, latency: 0.2)
        let now = MonotonicTime(nanoseconds: 60_000_000_000)
        meter.rest()
        meter.take(bytes: 1000, at: now)
        #expect(meter.longestGap < 0.1)
        #expect((meter.bytesPerSecond ?? 0) > 90_000)
    }
}
