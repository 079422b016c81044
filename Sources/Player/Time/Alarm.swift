import Base

/// When, what and how loud: an alarm.
package struct Alarm: Equatable, Sendable {
    package let id: Int64
    /// The time of day, in seconds from local midnight.
    package var second: Int
    /// 1 is Monday, 7 Sunday; none: it rings once.
    package var weekdays: Set<Int> = []
    /// What is played; nil: the queue.
    package var item: NewEntry?
    /// In percent; nil: as it is.
    package var volume: Double?
    /// Seconds in which it becomes loud.
    package var fade = 0.0
    /// A local item for when the other cannot be heard.
    package var fallback: String?
    /// Unix time at which it rings next.
    package var due = 0.0
    /// The local date, in days since 1970, on which it rang last.
    package var lastDay: Int?

    package init(id: Int64, second: Int) {
        self.id = id
        self.second = second
    }

    /// What the alarms need of a time zone.
    package struct Zone: Sendable {
        /// The local date at a unix time, in days since 1970.
        package let day: @Sendable (Double) -> Int
        /// The unix time of a second of a local date.
        package let unixTime: @Sendable (_ day: Int, _ second: Int) -> Double

        package init(
            day: @escaping @Sendable (Double) -> Int, unixTime: @escaping @Sendable (Int, Int) -> Double
        ) {
            self.day = day
            self.unixTime = unixTime
        }

        /// This machine's.
        package static var here: Zone {
            Zone(day: { LocalTime.day(of: $0) }, unixTime: { LocalTime.unixTime(day: $0, second: $1) })
        }
    }

    /// Alarms that are later than this, in seconds, are not rung any more: the machine was off.
    package static let patience = 900.0

    /// 1 for Monday to 7 for Sunday.
    package static func weekday(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 + 1 }

    /// The unix time at which it rings next after `now`: never twice on one date, whatever the clock does.
    package func next(after now: Double, _ zone: Zone) -> Double {
        let today = zone.day(now)
        for day in today...(today + 8) {
            guard weekdays.isEmpty || weekdays.contains(Self.weekday(of: day)) else { continue }
            if let lastDay, day <= lastDay, day >= lastDay - 1 { continue }
            let time = zone.unixTime(day, second)
            if time > now { return time }
        }
        return now + 86_400
    }

    /// What is to be done with it now.
    package enum Verdict: Equatable, Sendable {
        case wait
        case ring
        /// Its time passed while nobody could ring.
        case missed
    }

    /// Looks at the clock: sets when it is due next, and says what is to be done.
    package mutating func look(at now: Double, _ zone: Zone) -> Verdict {
        guard due > 0, now >= due else {
            due = next(after: now, zone)
            return .wait
        }
        let verdict: Verdict = now - due <= Self.patience ? .ring : .missed
        lastDay = zone.day(due)
        due = next(after: now, zone)
        return verdict
    }
}
