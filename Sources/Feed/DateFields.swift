import Base

extension FeedDate {
    /// The parts of a date as they are found.
    struct Fields {
        var year = 0
        var month = 0
        var day = 0
        var hour: Int?
        var minute = 0
        var second = 0.0
        /// Seconds east of Greenwich.
        var offset = 0

        /// Unix time in seconds; nil where a part is out of its range.
        var time: Double? {
            guard (1970...2200).contains(year), (1...12).contains(month), (1...daysOfMonth).contains(day)
            else {
                return nil
            }
            // Midnight at the end of a day is written as 24:00.
            let isClock = (hour ?? 0) < 24 || (hour == 24 && minute == 0 && second == 0)
            guard isClock, minute < 60, second < 61 else { return nil }
            let days = LocalTime.days(year: year, month: month, day: day)
            return Double(days * 86_400 + (hour ?? 0) * 3600 + minute * 60 - offset) + second
        }

        private var daysOfMonth: Int {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        }

        // MARK: Clock and zone

        /// Takes `8:5`, `09:00:57`, `10:00:00.5Z`, `10:00+01:00`, `7:30pm`; false for what is none.
        mutating func takeClockAndZone(_ word: Substring) -> Bool {
            let clock = word.prefix { ("0"..."9").contains($0) || $0 == ":" || $0 == "." || $0 == "," }
            let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count), let hour = Int(parts[0]), let minute = Int(parts[1]) else {
                return false
            }
            self.hour = hour
            self.minute = minute
            if parts.count == 3 {
                guard let second = Double(parts[2].split(separator: ",").joined(separator: ".")) else {
                    return false
                }
                self.second = second
            }
            let rest = word[clock.endIndex...]
            return rest.isEmpty || takeZone(rest)
        }

        /// Takes a zone (`+0100`, `-04:00`, `GMT+1`, `EDT`) or `AM` and `PM`; false for what is none.
        mutating func takeZone(_ word: Substring) -> Bool {
            let name = word.prefix { $0.isLetter }.uppercased()
            let rest = word[word.index(word.startIndex, offsetBy: name.count)...]
            if ["AM", "PM"].contains(name), rest.isEmpty { return takeHalf(isAfternoon: name == "PM") }
            if !name.isEmpty {
                guard let hours = Self.zones[name] else { return false }
                offset = Int(hours * 3600)
            }
            return rest.isEmpty ? !name.isEmpty : takeOffset(rest)
        }

        private mutating func takeHalf(isAfternoon: Bool) -> Bool {
            guard let hour, (1...12).contains(hour) else { return hour != nil }
            self.hour = hour % 12 + (isAfternoon ? 12 : 0)
            return true
        }

        private mutating func takeOffset(_ text: Substring) -> Bool {
            guard let sign = text.first, "+-−".contains(sign) else { return false }
            let digits = text.dropFirst().filter { $0 != ":" }
            guard (1...4).contains(digits.count), let number = Int(digits) else { return false }
            let (hours, minutes) = digits.count <= 2 ? (number, 0) : (number / 100, number % 100)
            guard hours <= 14, minutes < 60 else { return false }
            offset += (hours * 3600 + minutes * 60) * (sign == "+" ? 1 : -1)
            return true
        }

        /// Hours east of Greenwich: RFC 2822, section 4.3, and what else feeds name that is not ambiguous.
        private static let zones: [String: Double] = [
            "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "WET": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
            "MST": -7,
            "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BST": 1, "WEST": 1,
            "CET": 1,
            "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9, "AWST": 8,
            "ACST": 9.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
        ]
    }
}
