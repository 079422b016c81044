import Player

/// The part of each day in which rules fetch, by the local clock. Pure.
struct DownloadHours: Equatable, Sendable {
    /// Seconds of the day; where `to` is not later than `from` it is the next day's.
    let from: Int
    let to: Int

    /// Whether it is open at a unix time.
    func isOpen(at now: Double, _ zone: Alarm.Zone) -> Bool {
        spans(around: now, zone).contains { $0.start <= now && now < $0.end }
    }

    /// The unix time at which it opens or closes next.
    func nextChange(after now: Double, _ zone: Alarm.Zone) -> Double {
        spans(around: now, zone).flatMap { $0.start < $0.end ? [$0.start, $0.end] : [] }.filter { $0 > now }
            .min()
            ?? now + 86_400
    }

    /// The spans that begin the day before, on the day, and after it; a clock that is put forward over one makes it
    /// empty.
    private func spans(around now: Double, _ zone: Alarm.Zone) -> [(start: Double, end: Double)] {
        let today = zone.day(now)
        return (-1...2).map { offset in
            let day = today + offset
            return (zone.unixTime(day, from), zone.unixTime(from < to ? day : day + 1, to))
        }
    }
}
