import Base
import Terminal

/// The queue, fetched and written as a table.
enum QueueList {
    /// All entries as one result of `queue.list`; fetched again when the queue changed between two pages.
    static func fetch(_ daemon: Daemon) throws(ClientFailure) -> JSONValue {
        while true {
            var entries: [JSONValue] = []
            let first = try page(daemon, from: 0)
            entries += first.elements(of: "entries")
            var revision = first["queueRevision"]
            let total = first["total"]?.number ?? 0
            while Double(entries.count) < total {
                let next = try page(daemon, from: entries.count)
                revision = next["queueRevision"]
                let more = next.elements(of: "entries")
                if revision != first["queueRevision"] || more.isEmpty { break }
                entries += more
            }
            if revision == first["queueRevision"] {
                return .object([
                    "queueRevision": revision ?? .null, "total": .integer(Int64(entries.count)),
                    "entries": .array(entries),
                ])
            }
        }
    }

    /// The table's lines, for the entries in order.
    static func lines(_ entries: [JSONValue], current: JSONValue, on output: Output) -> [String] {
        let ids = entries.map { ValueText.write($0["id"] ?? .null) }
        let width = ids.map { TextWidth.of($0) }.max() ?? 0
        return zip(entries, ids).map { entry, id in
            let isCurrent = entry["id"] == current
            let number = TextWidth.fitted(id, to: width, right: true)
            let title =
                ItemText.title(
                    artist: entry["artist"], title: entry["title"], channel: nil, url: entry["url"]) ?? "?"
            var line = "\(isCurrent ? "▶" : " ") \(output.styled(number, .faint))  "
            line += output.styled(title, isCurrent ? .bold : .plain)
            if let duration = entry["duration"]?.number {
                line += "  " + output.styled(ClockText.write(duration), .faint)
            }
            if let error = entry["error"], error != .null {
                line += "  " + output.styled(ItemText.text(error["message"]) ?? "failed", .bad)
            }
            return line
        }
    }

    private static func page(_ daemon: Daemon, from offset: Int) throws(ClientFailure) -> JSONValue {
        try daemon.call("queue.list", .object(["offset": .integer(Int64(offset)), "limit": .integer(500)]))
    }
}
