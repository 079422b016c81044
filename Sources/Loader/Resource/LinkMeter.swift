import Base

/// What the way to a server has shown: bytes a second while they flow, and how long a request takes.
///
/// From the two follows when it pays to leave a transfer that will bring a byte later, and to ask for that byte.
struct LinkMeter {
    /// Samples are taken over at least this long.
    private static let interval = Duration.milliseconds(40)
    /// The weight of a new sample.
    private static let weight = 0.3

    /// Nil until measured.
    private(set) var bytesPerSecond: Double?
    /// From the request to the first byte, connecting included, in seconds; nil until measured.
    private(set) var latency: Double?
    /// The longest silence within a transfer, in seconds; fades with time.
    private(set) var longestGap = 0.0
    private var asked: MonotonicTime?
    private var windowStart: MonotonicTime?
    private var windowBytes = 0
    private var last: MonotonicTime?

    /// A request goes out.
    mutating func ask(at now: MonotonicTime) {
        asked = now
        rest()
    }

    /// The flow is interrupted from our side: the time until it goes on does not count.
    mutating func rest() {
        windowStart = nil
        last = nil
    }

    /// Bytes of a body came.
    mutating func take(bytes: Int, at now: MonotonicTime) {
        if let asked {
            let seconds = (now - asked).inSeconds
            latency = latency.map { $0 + (seconds - $0) * Self.weight } ?? seconds
            self.asked = nil
        }
        if let last { longestGap = max(longestGap * 0.995, (now - last).inSeconds) }
        last = now
        guard let start = windowStart else {
            windowStart = now
            windowBytes = 0
            return
        }
        windowBytes += bytes
        guard now - start >= Self.interval else { return }
        let rate = Double(windowBytes) / (now - start).inSeconds
        bytesPerSecond = bytesPerSecond.map { $0 + (rate - $0) * Self.weight } ?? rate
        windowStart = now
        windowBytes = 0
    }

    /// Bytes that come sooner by waiting than by a new request; nil until both are known.
    var nearBytes: Int64? {
        guard let bytesPerSecond, let latency else { return nil }
        return Int64(min(4_194_304, max(16_384, bytesPerSecond * latency)))
    }

    /// How long to wait for bytes so far ahead before the waiting was a mistake.
    func patience(for distance: Int64) -> Duration {
        // Nothing known yet: about what a slow request takes.
        guard let bytesPerSecond else { return .seconds(1) }
        let expected = Double(distance) / max(1, bytesPerSecond)
        return .seconds(clamping: min(10, 2 * expected + (latency ?? 0) + 0.05))
    }
}
