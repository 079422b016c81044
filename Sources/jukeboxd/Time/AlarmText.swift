import Base
import Control
import Player
import Wire

/// An alarm as clients write and read it, and as it is kept.
enum AlarmText {
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longestFade = 3_600.0

    // MARK: From clients

    /// Reads the parameters of `alarm.add`. Throws what is wrong with them.
    static func alarm(_ id: Int64, _ parameters: Parameters) throws(CommandFailure) -> Alarm {
        let time = try parameters.string("time")
        guard let second = second(of: time) else {
            throw Parameters.wrong("time", .string(time), "a time of day: HH:MM or HH:MM:SS")
        }
        var alarm = Alarm(id: id, second: second)
        alarm.weekdays = try weekdays(parameters["weekdays"])
        if let value = parameters["item"] {
            let item = try CommandTable.item(value, "item", parameters)
            try item.check()
            alarm.item = item
        }
        if let volume = try parameters.optionalNumber("volume") {
            guard (0...100).contains(volume) else {
                throw Parameters.wrong("volume", .real(volume), "from 0 to 100")
            }
            alarm.volume = volume
        }
        let fade = try parameters.optionalNumber("fade") ?? 0
        guard (0...longestFade).contains(fade) else {
            throw Parameters.wrong("fade", .real(fade), "from 0 to \(Int(longestFade)) seconds")
        }
        alarm.fade = fade
        if let path = try parameters.optionalString("fallback") {
            guard path.hasPrefix("/") || path.hasPrefix("file:") else {
                throw Parameters.wrong(
                    "fallback", .string(path), "a local file: an absolute path or a file URL")
            }
            try NewEntry(url: path).check()
            alarm.fallback = path
        }
        return alarm
    }

    private static func weekdays(_ value: JSONValue?) throws(CommandFailure) -> Set<Int> {
        guard let value else { return [] }
        let allowed = "an array of mon, tue, wed, thu, fri, sat, sun"
        guard case .array(let names) = value else { throw Parameters.wrong("weekdays", value, allowed) }
        var found: Set<Int> = []
        for name in names {
            guard case .string(let text) = name, let index = days.firstIndex(of: text) else {
                throw Parameters.wrong("weekdays", name, allowed)
            }
            found.insert(index + 1)
        }
        return found
    }

    /// The second of the day of `HH:MM` or `HH:MM:SS`; nil for anything else.
    static func second(of text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.count == 2, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        guard numbers[0] < 24, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60 else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    // MARK: To clients

    /// `HH:MM`, with seconds where there are some.
    static func time(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = two(second / 3600) + ":" + two(second / 60 % 60)
        return second % 60 == 0 ? minutes : minutes + ":" + two(second % 60)
    }

    /// The alarm as it is told: without headers, secrets masked.
    static func write(_ alarm: Alarm) -> JSONText {
        return .object { text in
            text.member("id", alarm.id)
            text.member("time", time(alarm.second))
            text.member("weekdays", alarm.weekdays.sorted().map { days[$0 - 1] })
            text.member("url", alarm.item.map { URLMask.shown($0.url) })
            text.member("title", alarm.item?.title)
            text.member("volume", alarm.volume)
            text.member("fade", alarm.fade)
            text.member("fallback", alarm.fallback)
            text.member("next", alarm.due)
        }
    }

    // MARK: Kept

    /// The alarm as it is kept.
    static func keep(_ alarm: Alarm) -> String {
        return JSONText.object { text in
            text.member("second", alarm.second)
            text.member("weekdays", alarm.weekdays.sorted())
            text.member("url", alarm.item?.url)
            text.member("title", alarm.item?.title)
            text.member("storeId", alarm.item?.storeID)
            text.member("headers", alarm.item?.headers.namesAndValues ?? [])
            text.member("volume", alarm.volume)
            text.member("fade", alarm.fade)
            text.member("fallback", alarm.fallback)
            text.member("due", alarm.due)
            text.member("lastDay", alarm.lastDay)
        }.string
    }

    /// The alarm that was kept; nil for what is none.
    static func restore(_ id: Int64, _ kept: String) -> Alarm? {
        guard let value = try? JSONParser.parse(Array(kept.utf8)),
            case .integer(let second)? = value["second"],
            (0..<86_400).contains(second)
        else { return nil }
        var alarm = Alarm(id: id, second: Int(second))
        if case .array(let days)? = value["weekdays"] {
            alarm.weekdays = Set(
                days.compactMap { $0.number }.filter { (1...7).contains($0) }.map { Int($0) })
        }
        if case .string(let url)? = value["url"] {
            alarm.item = NewEntry(url: url)
            if case .string(let title)? = value["title"] { alarm.item?.title = title }
            if case .integer(let storeID)? = value["storeId"] { alarm.item?.storeID = storeID }
            alarm.item?.headers = headers(value["headers"])
        }
        alarm.volume = value["volume"]?.number
        alarm.fade = value["fade"]?.number ?? 0
        if case .string(let path)? = value["fallback"] { alarm.fallback = path }
        alarm.due = value["due"]?.number ?? 0
        if case .integer(let day)? = value["lastDay"] { alarm.lastDay = Int(clamping: day) }
        return alarm
    }

    private static func headers(_ value: JSONValue?) -> [HeaderField] {
        guard case .array(let values)? = value else { return [] }
        let texts: [String] = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return texts.headerFields
    }
}
