import Base

/// Numbers in the forms in which publishers write them.
enum FeedNumber {
    /// Nothing that is heard takes longer, in seconds.
    private static let longest = 1e7

    /// Seconds from `3723`, `62:03`, `1:02:03.5`, `PT1H2M3S`; nil for what is none, and for 0.
    static func duration(_ text: String) -> Double? {
        let text = text.trimmingBlanks
        let seconds = text.uppercased().hasPrefix("P") ? isoDuration(text) : clock(text)
        guard let seconds, seconds > 0, seconds < longest else { return nil }
        return seconds
    }

    private static func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard let number = plain(part) else { return nil }
            let isHoursOfDays = parts.count == 4 && index == 1
            seconds = seconds * (isHoursOfDays ? 24 : 60) + number
        }
        return seconds
    }

    /// ISO 8601's durations, without years and months, which have no length.
    private static func isoDuration(_ text: String) -> Double? {
        let units: [Character: Double] = ["W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1]
        var seconds = 0.0
        var number = ""
        for character in text.uppercased().dropFirst() where character != "T" {
            if let unit = units[character] {
                guard let value = plain(Substring(number)) else { return nil }
                seconds += value * unit
                number = ""
            } else {
                number.append(character == "," ? "." : character)
            }
        }
        return number.isEmpty ? seconds : nil
    }

    private static func plain(_ text: Substring) -> Double? {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isPlain ? Double(text) : nil
    }

    /// A size in bytes; nil for what is none, for 0, and for what no file has.
    static func size(_ text: String) -> Int64? {
        guard let size = Int64(text.trimmingBlanks), size > 0, size < 1 << 50 else { return nil }
        return size
    }

    /// A place in a series; nil for what is none.
    static func ordinal(_ text: String) -> Int? {
        guard let number = Int(text.trimmingBlanks), (0...1_000_000).contains(number) else { return nil }
        return number
    }

    /// A pair of degrees from `48.2 16.3`, `48.2,16.3` or `geo:48.2,16.3;u=5` (RFC 5870); nil for what is none.
    static func coordinates(_ text: String) -> (latitude: Double, longitude: Double)? {
        var text = Substring(text.trimmingBlanks)
        if text.lowercased().hasPrefix("geo:") { text = text.dropFirst(4) }
        let numbers = text.prefix { $0 != ";" }.split(whereSeparator: { ", \t\n".contains($0) }).map {
            Double($0)
        }
        guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return coordinates(latitude, longitude)
    }

    /// A pair of degrees where both are in their range.
    static func coordinates(_ latitude: Double, _ longitude: Double) -> (latitude: Double, longitude: Double)?
    {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        return (latitude, longitude)
    }
}
