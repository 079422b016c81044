import Base
import Terminal

/// What plays, as a person reads it.
enum StatusText {
    /// The properties that it is made of.
    static let keys = [
        "player", "item.title", "item.artist", "item.album", "item.channel", "item.url", "item.entry",
        "item.duration", "item.live", "queue.index", "queue.length",
    ]

    /// The whole status, a line a thing.
    static func lines(_ values: [String: JSONValue], on output: Output) -> [String] {
        var lines = [headline(values, on: output)]
        func add(_ name: String, _ text: String?) {
            guard let text else { return }
            lines.append(output.styled(Help.padded(name + ":", 10), .faint) + text)
        }
        add("title", ItemText.text(values["item.title"]))
        add("artist", ItemText.text(values["item.artist"]))
        add("album", ItemText.text(values["item.album"]))
        add("channel", ItemText.text(values["item.channel"]))
        add("url", ItemText.text(values["item.url"]))
        if values["item.entry"] ?? .null != .null { add("position", PlaybackText.position(values)) }
        add("volume", volume(values))
        if let index = values["queue.index"]?.whole, let length = values["queue.length"]?.whole {
            add("queue", "\(index &+ 1) of \(length)")
        }
        if let error = values["player.error"], error != .null {
            add("error", output.styled(PlaybackWatch.message(error), .bad))
        }
        return lines
    }

    /// The status in a line.
    static func line(_ values: [String: JSONValue], on output: Output) -> String {
        var parts = [headline(values, on: output)]
        if let title = ItemText.current(values) { parts.append(output.styled(title, .bold)) }
        if output.isTerminal, values["item.entry"] ?? .null != .null {
            parts.append(output.styled(PlaybackText.bar(values), .faint) + PlaybackText.position(values))
        }
        if let error = values["player.error"], error != .null {
            parts.append(output.styled(PlaybackWatch.message(error), .bad))
        }
        return parts.joined(separator: "  ")
    }

    private static func headline(_ values: [String: JSONValue], on output: Output) -> String {
        let state = ItemText.text(values["player.state"]) ?? "unknown"
        let reason = ItemText.text(values["player.waitingReason"])
        let style: Output.Style =
            switch state {
            case "playing": .good
            case "buffering": .warning
            default: .bold
            }
        return output.styled(state, style) + (reason.map { " (\($0))" } ?? "")
    }

    private static func volume(_ values: [String: JSONValue]) -> String? {
        guard let volume = values["player.volume"] else { return nil }
        return ValueText.write(volume) + (values["player.muted"] == .bool(true) ? " (muted)" : "")
    }
}
