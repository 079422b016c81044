import Base
import Terminal

/// What an item is, as a person reads it.
enum ProbeText {
    private static let nameColumns = 12
    private static let layouts = [1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"]

    /// The URL, a line for each thing that is known, then the tags.
    static func lines(_ probe: JSONValue, on output: Output) -> [String] {
        func line(_ name: String, _ text: String) -> String {
            output.styled(Help.padded(name, nameColumns), .faint) + text
        }
        var lines = [output.styled(ItemText.text(probe["url"]) ?? "?", .bold)]
        for (name, text) in facts(probe) { lines.append(line(name, text)) }
        for tag in probe.elements(of: "tags") {
            guard let name = ItemText.text(tag["name"]), let value = ItemText.text(tag["value"]) else {
                continue
            }
            lines.append(line(name.lowercased(), value))
        }
        return lines
    }

    private static func facts(_ probe: JSONValue) -> [(String, String)] {
        var facts: [(String, String)] = []
        func add(_ name: String, _ parts: [String?]) {
            let text = parts.compactMap(\.self).joined(separator: ", ")
            if !text.isEmpty { facts.append((name, text)) }
        }
        add("codec", [ItemText.text(probe["codec"]), ItemText.text(probe["container"]).map { "in \($0)" }])
        add("sound", sound(probe))
        let about = probe["estimated"] == .bool(true) ? "about " : ""
        add(
            "length",
            [
                probe["duration"]?.number.map { about + ClockText.write($0) },
                probe["gapless"] == .bool(true) ? "gapless" : nil,
                probe["live"] == .bool(true) ? "live" : nil,
                probe["seekable"] == .bool(false) ? "cannot seek" : nil,
            ])
        add("bytes", [probe["bytes"]?.whole.map(String.init), ItemText.text(probe["contentType"])])
        let gains = ["track", "album"].compactMap { name in
            probe["replayGain"]?[name]?.number.map { "\(name) \(decibels($0))" }
        }
        add("gain", gains)
        if let picture = probe["picture"], let bytes = picture["bytes"]?.whole {
            add("picture", [ItemText.text(picture["mediaType"]), "\(bytes) bytes"])
        }
        return facts
    }

    private static func sound(_ probe: JSONValue) -> [String?] {
        [
            probe["sampleRate"]?.whole.map { "\($0) Hz" },
            probe["channels"]?.whole.map { layouts[Int($0)] ?? "\($0) channels" },
            probe["bitsPerSample"]?.whole.map { "\($0) bits" },
            probe["bitrate"]?.whole.map { "\(($0 + 500) / 1000) kbit/s" },
        ]
    }

    private static func decibels(_ gain: Double) -> String {
        let hundredths = Int((max(-999, min(999, gain)) * 100).rounded())
        let digits = String(abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : "+"
        return "\(sign)\(abs(hundredths) / 100).\(digits.count < 2 ? "0" : "")\(digits) dB"
    }
}
