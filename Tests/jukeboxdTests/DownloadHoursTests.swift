import Player
import Testing

@testable import jukeboxd

@Suite struct DownloadHoursTests {
    /// An hour ahead, two in summer: from day 100, 02:00 on, to day 300, 03:00; as mktime has it, what is left out is an
    /// hour later.
    private static let zone = Alarm.Zone(
        day: { now in
            let isSummer = now >= spring && now < autumn
            return Int(((now + (isSummer ? 7_200 : 3_600)) / 86_400).rounded(.down))
        },
        unixTime: { day, second in
            let local = Double(day * 86_400 + second)
            let isSummer = local >= 100 * 86_400 + 3 * 3_600 && local < 300 * 86_400 + 2 * 3_600
            return local - (isSummer ? 7_200 : 3_600)
        })
    private static let spring = 100 * 86_400.0 + 3_600
    private static let autumn = 300 * 86_400.0 + 3_600

    private static func at(_ day: Int, _ hour: Double) -> Double { zone.unixTime(day, Int(hour * 3_600)) }

    private func hours(_ from: Double, _ to: Double) -> DownloadHours {
        DownloadHours(from: Int(from * 3_600), to: Int(to * 3_600))
    }

    @Test(arguments: [
        (1.0, 6.0, 0.5, false), (1, 6, 1, true), (1, 6, 5.999, true), (1, 6, 6, false), (1, 6, 23, false),
        (22, 6, 21.9, false), (22, 6, 22, true), (22, 6, 23.9, true), (22, 6, 0, true), (22, 6, 6, false),
        (6, 22, 12, true), (6, 22, 23, false), (0, 24 - 1 / 60.0, 0, true),
    ])
    func theNightMayGoPastMidnight(from: Double, to: Double, hour: Double, isOpen: Bool) {
        let hours = hours(from, to)
        for day in [10, 99, 100, 101, 200, 299, 300, 301] where hour < 1.1 || hour > 5 {
            #expect(hours.isOpen(at: Self.at(day, hour), Self.zone) == isOpen, "day \(day)")
        }
    }

    @Test func aNightWithAnHourLessOrMoreEndsByTheClock() {
        let hours = hours(1, 6)
        #expect(hours.nextChange(after: Self.at(100, 1), Self.zone) == Self.at(100, 6))
        #expect(Self.at(100, 6) - Self.at(100, 1) == 4 * 3_600)
        #expect(Self.at(300, 6) - Self.at(300, 1) == 6 * 3_600)
        for second in stride(from: Self.at(300, 1), to: Self.at(300, 6), by: 600) {
            #expect(hours.isOpen(at: second, Self.zone))
        }
        #expect(!hours.isOpen(at: Self.at(300, 6), Self.zone))
    }

    @Test func anHourThatIsLeftOutIsNoNight() {
        // The clock goes from 2 to 3: as it stands nobody can be told when that night is.
        let hours = DownloadHours(from: 2 * 3_600 + 600, to: 2 * 3_600 + 1_800)
        let found = stride(from: Self.at(99, 12), to: Self.at(100, 12), by: 300).filter {
            hours.isOpen(at: $0, Self.zone)
        }
        #expect(found.count <= 4)
        #expect(hours.nextChange(after: Self.at(100, 12), Self.zone) == Self.at(101, 2) + 600)
    }

    @Test func eachChangeIsTheNextOne() {
        let hours = hours(23, 5)
        var now = Self.at(98, 12)
        for _ in 0..<8 {
            let next = hours.nextChange(after: now, Self.zone)
            #expect(next > now && next - now <= 86_400)
            #expect(hours.isOpen(at: next, Self.zone) != hours.isOpen(at: next - 1, Self.zone))
            now = next
        }
        #expect(now == Self.at(102, 5))
    }

    @Test func aClockThatIsSetFindsItsPlace() {
        let hours = hours(1, 6)
        #expect(hours.nextChange(after: Self.at(20_000, 3), Self.zone) == Self.at(20_000, 6))
        #expect(hours.nextChange(after: Self.at(10, 7), Self.zone) == Self.at(11, 1))
    }
}
