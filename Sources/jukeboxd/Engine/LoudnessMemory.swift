import Base

/// How loud what was heard is, by a number for its URL, so that no URL need be kept.
struct LoudnessMemory {
    private static let limit = 20_000

    private var known: [Int64: MeasuredLoudness] = [:]

    /// The number of a URL: its hash as it may be shown, so that a new token in it changes nothing.
    static func key(of url: String) -> Int64 { Int64(bitPattern: FNV1a.hash(URLMask.shown(url).utf8)) }

    /// What was measured; nil for what was not.
    subscript(key: Int64) -> MeasuredLoudness? { known[key] }

    /// Notes what was measured.
    mutating func note(_ loudness: MeasuredLoudness, for key: Int64) {
        if known.count >= Self.limit, known[key] == nil { known.remove(at: known.startIndex) }
        known[key] = loudness
    }
}
