/// Times as people write them: `1:23`, `1:02:03`, `95`.
package enum ClockText {
    /// Writes seconds; hours only where there are any.
    package static func write(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "0:00" }
        let whole = Int(seconds)
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        if hours > 0 { return "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" }
        return "\(minutes):\(twoDigits(rest))"
    }

    /// Reads `[[H:]M:]S`, where S may have a fraction; nil for anything else.
    package static func read(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let allowed = part.utf8.allSatisfy { (0x30...0x39).contains($0) || (isLast && $0 == 0x2E) }
            guard allowed, let value = Double(String(part)), value < 1e9 else { return nil }
            if index > 0, value >= 60 { return nil }
            total = total * 60 + value
        }
        return total
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
