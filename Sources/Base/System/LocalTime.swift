import CLinux
import Glibc

/// The time of day where this machine is, by its time zone and that one's rules.
package enum LocalTime {
    /// The days since 1970-01-01 of the local date at a unix time.
    package static func day(of unixTime: Double) -> Int {
        var seconds = time_t(max(-1e11, min(unixTime, 1e11)))
        var parts = unsafe tm()
        tzset()
        unsafe localtime_r(&seconds, &parts)
        return unsafe days(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    /// The unix time of a time of day, in seconds, on a local date. One that daylight saving leaves out is an
    /// hour later; one that comes twice is one of the two.
    package static func unixTime(day: Int, second: Int) -> Double {
        var parts = unsafe tm()
        unsafe parts.tm_year = 70
        unsafe parts.tm_mday = Int32(clamping: day + 1)
        unsafe parts.tm_hour = Int32(clamping: second / 3600)
        unsafe parts.tm_min = Int32(clamping: second / 60 % 60)
        unsafe parts.tm_sec = Int32(clamping: second % 60)
        unsafe parts.tm_isdst = -1
        return unsafe Double(mktime(&parts))
    }

    /// The days since 1970-01-01 of a date of the Gregorian calendar.
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
