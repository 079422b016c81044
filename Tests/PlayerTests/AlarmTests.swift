import Base
import Player
import Testing

/// When alarms ring, whatever the clock does.
@Suite struct AlarmTests {
    /// A zone one hour ahead, two in summer: from day 100, 02:00 on, to day 300, 03:00.
    private static let zone = Alarm.Zone(
        day: { Int((($0 + offset($0)) / 86_400).rounded(.down)) },
        unixTime: { day, second in
            let local = Double(day * 86_400 + second)
            // What is left out in spring is taken as winter time, as the C library does.
            let summer = local - 7_200
            return offset(summer) == 7_200 ? summer : local - 3_600
        })

    private static func offset(_ unixTime: Double) -> Double {
        let begin = Double(100 * 86_400 + 3_600)
        let end = Double(300 * 86_400 + 3_600)
        return unixTime >= begin && unixTime < end ? 7_200 : 3_600
    }

    private static func alarm(_ hour: Int, _ minute: Int = 0, _ days: Set<Int> = []) -> Alarm {
        var alarm = Alarm(id: 1, second: hour * 3_600 + minute * 60)
        alarm.weekdays = days
        return alarm
    }

    /// Rings of a time until another, the clock looked at whenever the alarm asks for it.
    private static func rings(_ alarm: Alarm, from start: Double, days: Int) -> [Double] {
        var alarm = alarm
        var now = start
        var rings: [Double] = []
        _ = alarm.look(at: now, zone)
        while alarm.due < start + Double(days) * 86_400 {
            now = alarm.due
            if alarm.look(at: now, zone) == .ring { rings.append(now) }
        }
        return rings
    }

    @Test func itRingsOnceADayAlsoWhenTheHoursChange() {
        for (hour, minute) in [(7, 0), (2, 30), (3, 0), (0, 0), (23, 59)] {
            for start in [95, 295] {
                let all = Set(1...7)
                let rings = Self.rings(Self.alarm(hour, minute, all), from: Double(start * 86_400), days: 10)
                let days = rings.map { Self.zone.day($0) }
                #expect((9...10).contains(days.count) && Set(days).count == days.count, "\(hour):\(minute)")
                #expect(zip(days, days.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(hour):\(minute) \(days)")
            }
        }
    }

    @Test func theTimeOfDayIsLocalBeforeAndAfterTheChange() {
        let rings = Self.rings(Self.alarm(7, 0, Set(1...7)), from: 98 * 86_400, days: 4)
        #expect(rings.map { Int($0) % 86_400 / 3_600 } == [6, 6, 5, 5])
    }

    @Test func weekdaysAreKept() {
        // 1970-01-01, day 0, was a Thursday.
        #expect(Alarm.weekday(of: 0) == 4 && Alarm.weekday(of: -1) == 3 && Alarm.weekday(of: 4) == 1)
        let rings = Self.rings(Self.alarm(7, 0, [1, 6]), from: 0, days: 21)
        #expect(rings.map { Alarm.weekday(of: Self.zone.day($0)) } == [6, 1, 6, 1, 6, 1])
    }

    @Test func aClockThatIsSetBackDoesNotRingTwice() {
        var alarm = Self.alarm(7, 0, Set(1...7))
        let seven = Self.zone.unixTime(10, 7 * 3_600)
        _ = alarm.look(at: seven - 3_600, Self.zone)
        #expect(alarm.due == seven && alarm.look(at: seven + 1, Self.zone) == .ring)
        #expect(alarm.look(at: seven - 1_800, Self.zone) == .wait && alarm.due == seven + 86_400)
    }

    @Test(arguments: [(1.0, Alarm.Verdict.ring), (899, .ring), (901, .missed), (86_400 * 30, .missed)])
    func aClockThatJumpsAheadRingsUnlessItIsTooLate(late: Double, verdict: Alarm.Verdict) {
        var alarm = Self.alarm(7, 0, Set(1...7))
        let seven = Self.zone.unixTime(10, 7 * 3_600)
        _ = alarm.look(at: seven - 60, Self.zone)
        #expect(alarm.look(at: seven + late, Self.zone) == verdict)
        #expect(alarm.due > seven + late && alarm.due <= seven + late + 86_400)
    }

    @Test func aClockThatWasWrongAtTheStartIsNoTroubleOnceItIsRight() {
        var alarm = Self.alarm(7, 0, Set(1...7))
        _ = alarm.look(at: 1_000, Self.zone)
        let now = Self.zone.unixTime(200, 6 * 3_600)
        #expect(alarm.look(at: now, Self.zone) == .missed)
        #expect(alarm.due == Self.zone.unixTime(200, 7 * 3_600))
        #expect(alarm.look(at: alarm.due, Self.zone) == .ring)
    }

    @Test(arguments: [(1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 3, 1, 11_017), (2026, 11, 30, 20_787)])
    func daysAreCounted(year: Int, month: Int, day: Int, days: Int) {
        #expect(LocalTime.days(year: year, month: month, day: day) == days)
    }

    @Test func theSystemsZoneGivesBackWhatItTook() {
        for day in stride(from: 20_000, to: 20_800, by: 7) {
            #expect(LocalTime.day(of: LocalTime.unixTime(day: day, second: 43_200)) == day)
        }
    }
}
