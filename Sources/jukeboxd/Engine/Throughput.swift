import Base

/// Bytes a second over the last seconds in which any arrived.
struct Throughput {
    /// Times are averaged over about this long.
    private static let window = 2.0

    private var last: (bytes: Int64, time: MonotonicTime)?
    /// Nil until two measurements exist.
    private(set) var bytesPerSecond: Double?

    /// Takes the count of all bytes received so far.
    mutating func take(bytes: Int64, at time: MonotonicTime) {
        guard let before = last, bytes >= before.bytes else {
            last = (bytes, time)
            return
        }
        let seconds = (time - before.time).inSeconds
        guard seconds >= 0.02 else { return }
        let rate = Double(bytes - before.bytes) / seconds
        let weight = min(1, seconds / Throughput.window)
        bytesPerSecond = bytesPerSecond.map { $0 + (rate - $0) * max(weight, 0.1) } ?? rate
        last = (bytes, time)
    }
}
