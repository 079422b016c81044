import Base
import Testing

@Suite struct SleepMeterTests {
    @Test func onlyTimeAsleepIsCountedAndOnce() {
        var meter = SleepMeter(monotonic: 1000, boot: 5000)
        #expect(meter.slept(monotonic: 1100, boot: 5100) == 0)
        // Two hours asleep, a minute awake.
        #expect(meter.slept(monotonic: 1160, boot: 12_360) == 7200)
        #expect(meter.slept(monotonic: 1200, boot: 12_400) == 0)
    }
}
