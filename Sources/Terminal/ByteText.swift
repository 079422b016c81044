/// Numbers of bytes as people write them.
package enum ByteText {
    private static let units: [(letter: Character, bytes: Int64)] = [
        ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40),
    ]

    /// "1.5 GiB".
    package static func write(_ bytes: Double) -> String {
        let bytes = bytes.isFinite ? max(0, min(bytes, 1e17)) : 0
        guard let unit = units.last(where: { bytes >= Double($0.bytes) }) else {
            return "\(Int(bytes)) B"
        }
        let tenths = Int(bytes / Double(unit.bytes) * 10)
        return "\(tenths / 10).\(tenths % 10) \(unit.letter)iB"
    }

    /// Reads "500", "300M", "2GiB"; nil for anything else.
    package static func read(_ word: String) -> Int64? {
        let digits = word.prefix { $0.isNumber }
        let rest = word.dropFirst(digits.count).uppercased()
        let unit = units.first { ["\($0.letter)", "\($0.letter)B", "\($0.letter)IB"].contains(rest) }
        guard let number = Int64(digits), rest.isEmpty || rest == "B" || unit != nil,
            case let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit?.bytes ?? 1), !isTooMuch
        else { return nil }
        return bytes
    }
}
