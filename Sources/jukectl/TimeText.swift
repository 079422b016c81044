import Base
import Terminal

/// Moments and alarms as a person writes and reads them.
enum TimeText {
    /// The unix time of a while from now (30m, 1h30m, 90s, 45) or of the next time of day (23:30); nil for
    /// anything else. A bare number is minutes.
    static func moment(_ word: String, now: Double) -> Double? {
        if word.contains(":") { return timeOfDay(word, now: now) }
        if let minutes = Double(word), minutes > 0, minutes < 1e5 { return now + minutes * 60 }
        var seconds = 0.0
        var digits = ""
        for character in word {
            if character.isNumber {
                digits.append(character)
                continue
            }
            guard let number = Double(digits), let unit = ["h": 3600.0, "m": 60, "s": 1][character] else {
                return nil
            }
            seconds += number * unit
            digits = ""
        }
        return digits.isEmpty && seconds > 0 ? now + seconds : nil
    }

    private static func timeOfDay(_ word: String, now: Double) -> Double? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        let today = LocalTime.day(of: now)
        let times = (today...(today + 1)).map {
            LocalTime.unixTime(day: $0, second: hour * 3600 + minute * 60)
        }
        return times.first { $0 > now }
    }

    /// The names of days that a word stands for; what is none is left for the daemon to refuse.
    static func days(_ word: String) -> [String] {
        let all = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        switch word {
        case "daily": return all
        case "workdays": return Array(all[..<5])
        case "weekend": return Array(all[5...])
        default: return word.lowercased().split(separator: ",").map(String.init)
        }
    }

    /// An alarm in a line.
    static func alarm(_ alarm: JSONValue, on output: Output) -> String {
        var line = output.styled(ValueText.write(alarm["id"] ?? .null), .faint) + "  "
        line += output.styled(ItemText.text(alarm["time"]) ?? "", .bold)
        if case .array(let days)? = alarm["weekdays"], !days.isEmpty {
            line += "  " + days.compactMap { ItemText.text($0) }.joined(separator: ",")
        } else {
            line += "  once"
        }
        line += "  " + (ItemText.text(alarm["title"]) ?? ItemText.text(alarm["url"]) ?? "the queue")
        if let next = alarm["next"]?.number { line += "  " + output.styled(LocalClock.text(next), .faint) }
        return line
    }
}
