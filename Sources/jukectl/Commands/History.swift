import Base
import CLinux
import Glibc
import Terminal

extension Command {
    static let history = Command(
        name: "history", synopsis: "[--marked] [--limit N]", summary: "show what was heard, the newest last",
        details: "The first column is the ID that mark takes; marked ones have a star.",
        options: [
            CommandOption(name: "--marked", help: "only what was marked"),
            CommandOption(name: "--limit", value: "N", help: "how many at most (20)"),
        ]
    ) { (invocation) throws(ClientFailure) in
        let limit = try invocation.count("--limit") ?? 20
        let parameters = JSONValue.object([
            "limit": .integer(limit), "marked": .bool(invocation.has("--marked")),
        ])
        let result = try invocation.connect().call("history.list", parameters)
        if invocation.wantsJSON { return invocation.output.json(result) }
        let items = result.elements(of: "items")
        guard !items.isEmpty else {
            return invocation.output.line("Nothing was heard yet.")
        }
        for item in items.reversed() { invocation.output.line(line(item, on: invocation.output)) }
    }

    static let mark = Command(
        name: "mark", synopsis: "[--remove] [ID]",
        summary: "keep the song of now, or another one of the history",
        options: [CommandOption(name: "--remove", help: "take the mark away")], words: 0...1
    ) { (invocation) throws(ClientFailure) in
        var parameters: [String: JSONValue] = ["marked": .bool(!invocation.has("--remove"))]
        if let word = invocation.words.first { parameters["id"] = try Entries.id(word) }
        let result = try invocation.connect().call("history.mark", .object(JSONMembers(parameters)))
        if invocation.wantsJSON { return invocation.output.json(result) }
    }

    private static func line(_ item: JSONValue, on output: Output) -> String {
        let id = ValueText.write(item["id"] ?? .null)
        let isMarked = item["marked"] == .bool(true)
        let title =
            ItemText.title(
                artist: item["artist"], title: item["title"], channel: item["channel"], url: item["url"])
            ?? "?"
        var line = "\(isMarked ? "★" : " ") \(output.styled(id, .faint))  "
        line += output.styled(LocalClock.text(item["at"]?.number ?? 0), .faint) + "  "
        line += output.styled(title, isMarked ? .bold : .plain)
        if item["title"] != .null, let channel = ItemText.text(item["channel"]) {
            line += "  " + output.styled(channel, .faint)
        }
        return line
    }
}

/// Moments as a person here reads them.
enum LocalClock {
    /// The date and time of a unix time, to the minute.
    static func text(_ unixTime: Double) -> String {
        var seconds = time_t(max(-1e11, min(unixTime, 1e11)))
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { two($0) }
        let time = unsafe [parts.tm_hour, parts.tm_min].map { two($0) }
        return date.joined(separator: "-") + " " + time.joined(separator: ":")
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
