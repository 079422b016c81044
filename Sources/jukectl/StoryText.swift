import Base
import CLinux
import Glibc
import Terminal

/// What happened to a URL, as a person reads it.
enum StoryText {
    /// The URL, then a line a note: when, what about, what.
    static func lines(_ story: JSONValue, on output: Output, zone: (Int) -> String = clock) -> [String] {
        var lines = [output.styled(ItemText.text(story["url"]) ?? "?", .bold)]
        let notes = story.elements(of: "notes")
        guard !notes.isEmpty else { return lines + ["not opened yet"] }
        for note in notes {
            let kind = ItemText.text(note["kind"]) ?? "?"
            let at = note["at"]?.number.map { time($0, zone) } ?? ""
            let text = output.styled(ItemText.text(note["text"]) ?? "", style(of: kind))
            lines.append("\(output.styled(at, .faint))  \(Help.padded(kind, 9))\(text)")
        }
        if let omitted = story["omitted"]?.whole, omitted > 0 {
            lines.append(output.styled("(\(omitted) more in between)", .faint))
        }
        return lines
    }

    private static func style(of kind: String) -> Output.Style {
        switch kind {
        case "error": .bad
        case "retry": .warning
        case "decoder": .good
        default: .plain
        }
    }

    private static func time(_ seconds: Double, _ zone: (Int) -> String) -> String {
        guard seconds >= 0, seconds < 1e11 else { return "" }
        let milliseconds = Int(seconds * 1000) % 1000
        let digits = String(milliseconds)
        return zone(Int(seconds)) + "." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// The time of day, here.
    private static func clock(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = unsafe tm()
        unsafe localtime_r(&time, &parts)
        return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
