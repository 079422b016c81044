/// Points in time as ISO 8601 writes them, in UTC and whole seconds. Pure; any thread.
package enum ISODate {
    /// "2014-05-02T10:10:00Z" of a unix time; years beyond 9999 and before 0 are cut to these.
    package static func text(_ unixTime: Double) -> String {
        let seconds = Int(max(-62_167_219_200, min(unixTime.rounded(.down), 253_402_300_799)))
        let day = (seconds < 0 ? seconds - 86_399 : seconds) / 86_400
        let second = seconds - day * 86_400
        let (year, month, date) = civil(day)
        var text: [UInt8] = Array("0000-00-00T00:00:00Z".utf8)
        put(year, 4, at: 0, of: &text)
        for (number, place) in [
            (month, 5), (date, 8), (second / 3600, 11), (second / 60 % 60, 14), (second % 60, 17),
        ] { put(number, 2, at: place, of: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func put(_ number: Int, _ digits: Int, at place: Int, of text: inout [UInt8]) {
        var rest = number
        for index in (place..<place + digits).reversed() {
            text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// The date of a day since 1970-01-01.
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
