import Base

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
        if values["item.entry"] ?? .null != .null { add("position", position(values)) }
        add("volume", volume(values))
        if let index = values["queue.index"]?.number, let length = values["queue.length"]?.number {
            add("queue", "\(Int(index) + 1) of \(Int(length))")
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
            parts.append(output.styled(bar(values), .faint) + position(values))
        }
        if let error = values["player.error"], error != .null {
            parts.append(output.styled(PlaybackWatch.message(error), .bad))
        }
        return parts.joined(separator: "  ")
    }

    /// When the position shows another second; nil while it stands.
    static func nextSecond(_ values: [String: JSONValue]) -> MonotonicTime? {
        guard let rate = values["player.position"]?["rate"]?.number, rate > 0 else { return nil }
        let fraction = seconds(values).truncatingRemainder(dividingBy: 1)
        return .now + .seconds(clamping: (1.001 - fraction) / rate)
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

    private static func position(_ values: [String: JSONValue]) -> String {
        let here = ClockText.write(seconds(values))
        if values["item.live"] == .bool(true) { return "\(here) (live)" }
        guard let duration = values["item.duration"]?.number else { return here }
        return "\(here) / \(ClockText.write(duration))"
    }

    /// How far the item is, in 20 columns and a blank; empty where its end is not known.
    static func bar(_ values: [String: JSONValue]) -> String {
        guard let duration = values["item.duration"]?.number, duration > 0 else { return "" }
        let filled = Int(max(0, min(1, seconds(values) / duration)) * 20)
        return String(repeating: "━", count: filled) + String(repeating: "┈", count: 20 - filled) + " "
    }

    private static func volume(_ values: [String: JSONValue]) -> String? {
        guard let volume = values["player.volume"] else { return nil }
        return ValueText.write(volume) + (values["player.muted"] == .bool(true) ? " (muted)" : "")
    }

    /// Where playback is now, by the anchor that the daemon told.
    private static func seconds(_ values: [String: JSONValue]) -> Double {
        guard let anchor = values["player.position"], let start = anchor["seconds"]?.number else { return 0 }
        guard let rate = anchor["rate"]?.number, rate != 0, let since = anchor["monotonic"]?.number else {
            return start
        }
        let now = start + max(0, Clocks.bootTime - since) * rate
        return min(now, values["item.duration"]?.number ?? now)
    }
}
