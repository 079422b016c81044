import Base

/// When a source is refreshed next. Pure.
struct RefreshSchedule: Equatable, Sendable {
    /// Between two refreshes, in seconds.
    var interval: Double = 3_600

    /// The first wait after a failure, in seconds; it doubles with each.
    private static let firstWait = 60.0
    private static let longestWait = 6 * 3_600.0
    /// What a server may ask for at most, in seconds.
    private static let longestPatience = 86_400.0

    /// The unix time after a success: spread out, so that what was added together is not asked together for ever.
    func afterSuccess(_ source: Int64, now: Double) -> Double {
        now + interval * (0.9 + 0.2 * Self.share(source, 0))
    }

    /// The unix time after so many failures in a row; `retryAt` is what its server wants.
    func afterFailure(_ source: Int64, failures: Int64, retryAt: Double?, now: Double) -> Double {
        let doubled = Self.firstWait * Double(1 << min(10, max(0, failures - 1)))
        let wait = min(doubled, max(interval, Self.firstWait), Self.longestWait)
        let wished = min((retryAt ?? now) - now, Self.longestPatience)
        return now + max(wished, wait * (0.8 + 0.4 * Self.share(source, failures)))
    }

    /// A number from 0 to 1 that is the same each time.
    private static func share(_ source: Int64, _ turn: Int64) -> Double {
        var x =
            UInt64(bitPattern: source) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: turn)
            &* 0xBF58_476D_1CE4_E5B9
        x ^= x >> 31
        x &*= 0x94D0_49BB_1331_11EB
        return Double((x ^ (x >> 29)) >> 11) / Double(1 << 53)
    }
}
