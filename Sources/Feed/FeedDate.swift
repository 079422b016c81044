import Base

/// Dates in the forms in which publishers write them: RFC 2822, ISO 8601, and what people take for these.
enum FeedDate {
    /// Unix time in seconds; nil for what is no date or cannot be. A date without a zone counts as UTC.
    static func time(_ text: String) -> Double? {
        let text = withoutComments(text)
        return iso(text) ?? unixTime(text) ?? words(text)
    }

    private static func withoutComments(_ text: String) -> String {
        var depth = 0
        var kept = ""
        for character in text.prefix(128) {
            if character == "(" { depth += 1 }
            if depth == 0 { kept.append(character) }
            if character == ")" { depth = max(0, depth - 1) }
        }
        return kept.trimmingBlanks
    }

    private static func unixTime(_ text: String) -> Double? {
        let isNumber =
            (9...10).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Double(text) : nil
    }

    // MARK: ISO 8601

    /// `2022-03-11`, `2022-03-11T10:00:00.5+01:00`, with `/` for `-` and a blank for `T` too.
    private static func iso(_ text: String) -> Double? {
        var rest = Substring(text)
        guard let year = digits(&rest, 4...4), let mark = rest.first, "-/.".contains(mark) else { return nil }
        rest.removeFirst()
        guard let month = digits(&rest, 1...2) else { return nil }
        var fields = Fields(year: year, month: month, day: 1)
        if rest.first == mark {
            rest.removeFirst()
            guard let day = digits(&rest, 1...2) else { return nil }
            fields.day = day
        }
        guard let next = rest.first else { return fields.time }
        guard "Tt ".contains(next) else { return nil }
        let words = rest.dropFirst().split(separator: " ")
        guard let clock = words.first, fields.takeClockAndZone(clock) else { return nil }
        for word in words.dropFirst() { guard fields.takeZone(word) else { return nil } }
        return fields.time
    }

    private static func digits(_ text: inout Substring, _ count: ClosedRange<Int>) -> Int? {
        let run = text.prefix { ("0"..."9").contains($0) }
        guard count.contains(run.count) else { return nil }
        text = text[run.endIndex...]
        return Int(run)
    }

    // MARK: RFC 2822 and its like

    /// Words in about any order: a day, a month by its name, a year, a clock, a zone.
    private static func words(_ text: String) -> Double? {
        var fields = Fields()
        var numbers: [(value: Int, digits: Int)] = []
        var words = text.split(whereSeparator: { " ,\t\r\n".contains($0) })
        // `02-May-2014`
        if let dashed = words.firstIndex(where: {
            month(of: $0.split(separator: "-").dropFirst().first ?? "") != nil
        }) {
            words.replaceSubrange(dashed...dashed, with: words[dashed].split(separator: "-"))
        }
        for word in words {
            let isOffset = "+-".contains(word.first ?? " ")
            if word.contains(":"), !isOffset {
                guard fields.hour == nil, fields.takeClockAndZone(word) else { return nil }
            } else if let number = number(word), numbers.count < 2 {
                numbers.append((number, word.utf8.count))
            } else if let month = month(of: word), fields.month == 0 {
                fields.month = month
            } else if !fields.takeZone(word), !isWeekday(word) {
                return nil
            }
        }
        guard numbers.count == 2 else { return nil }
        // The American order has the year behind as well; only a list of parts has it in front.
        let (day, year) = numbers[0].value > 31 ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
        fields.day = day.value
        // RFC 2822, section 4.3: two digits are of 1950 to 2049.
        fields.year = fullYear(year.value, year.digits)
        return fields.time
    }

    /// A day or a year: `2`, `2nd`, `2.`, `2014`, `14`.
    private static func number(_ word: Substring) -> Int? {
        let digits = word.prefix { ("0"..."9").contains($0) }
        let isWhole = digits.endIndex == word.endIndex
        guard isWhole || ["st", "nd", "rd", "th", "."].contains(word[digits.endIndex...].lowercased()) else {
            return nil
        }
        return Int(digits)
    }

    private static func fullYear(_ year: Int, _ digits: Int) -> Int {
        digits > 3 ? year : year < 50 ? 2000 + year : 1900 + year
    }

    private static let months: [String: Int] = {
        let names = [
            "jan", "feb", "mar mär mrz", "apr avr abr", "may mai mag", "jun giu", "jul lug", "aug ago aoû",
            "sep set", "oct okt ott out", "nov", "dec dez dic déc",
        ]
        var months: [String: Int] = [:]
        for (index, list) in names.enumerated() {
            for name in list.split(separator: " ") { months[String(name)] = index + 1 }
        }
        return months
    }()

    private static func month(of word: Substring) -> Int? {
        word.first?.isLetter == true ? months[word.lowercased().prefix(3).description] : nil
    }

    private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// A name of a day in any language: it is not needed, and often wrong.
    private static func isWeekday(_ word: Substring) -> Bool {
        weekdays.contains(word.lowercased().prefix(3).description)
            || word.allSatisfy { $0.isLetter || $0 == "." } && word.count <= 10
                && word.lowercased() != "invalid"
    }
}
