import Base
import Control
import Wire

/// Rules as clients write and read them, and as they are kept.
extension DownloadRules: JSONRepresentable {
    private static let mostDays: Int64 = 36_500
    private static let mostBytes: Int64 = 1 << 50

    /// Reads what a client wrote; nil takes them away. Throws what is wrong with it.
    static func rules(_ value: JSONValue?) throws(CommandFailure) -> DownloadRules? {
        guard let value else { return nil }
        guard case .object(let members) = value else {
            throw Parameters.wrong("rules", value, "an object, or null for none")
        }
        var rules = DownloadRules()
        rules.newest = try whole(members, "newest", 1...Int64(most)).map { Int($0) }
        rules.days = try whole(members, "days", 1...mostDays).map { Int($0) }
        rules.bytes = try whole(members, "bytes", 1...mostBytes)
        switch members["untilHeard"] {
        case nil, .null?: break
        case .bool(let isSet)?: rules.untilHeard = isSet
        case let other?: throw Parameters.wrong("rules.untilHeard", other, "true or false")
        }
        rules.hours = try hours(members["hours"])
        guard rules.newest != nil || rules.days != nil || rules.untilHeard || rules.bytes != nil else {
            throw CommandFailure(
                .invalidParams, "rules say of nothing how much: set newest, days, untilHeard or bytes.")
        }
        return rules
    }

    private static func whole(
        _ members: JSONMembers, _ name: String, _ range: ClosedRange<Int64>
    ) throws(CommandFailure) -> Int64? {
        guard let value = members[name], value != .null else { return nil }
        guard let number = value.number, let whole = Int64(exactly: number), range.contains(whole) else {
            throw Parameters.wrong(
                "rules.\(name)", value, "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    private static func hours(_ value: JSONValue?) throws(CommandFailure) -> DownloadHours? {
        guard let value, value != .null else { return nil }
        guard case .string(let from)? = value["from"], case .string(let to)? = value["to"],
            let start = AlarmText.second(of: from), let end = AlarmText.second(of: to), start != end
        else {
            throw Parameters.wrong(
                "rules.hours", value, "an object of from and to, two different times of day: HH:MM")
        }
        return DownloadHours(from: start, to: end)
    }

    /// Those that were kept; nil for what are none.
    init?(kept: String) {
        guard let value = try? JSONParser.parse(Array(kept.utf8)), let rules = try? Self.rules(value) else {
            return nil
        }
        self = rules
    }

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("newest", newest)
            text.member("days", days)
            text.member("untilHeard", untilHeard)
            text.member("hours", hours)
            text.member("bytes", bytes)
        }
    }
}

extension DownloadHours: JSONRepresentable {
    func write(to text: inout JSONText) {
        text.object { text in
            text.member("from", AlarmText.time(from))
            text.member("to", AlarmText.time(to))
        }
    }
}
