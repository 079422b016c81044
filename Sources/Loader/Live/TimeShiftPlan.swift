/// How much of a live stream is kept, and where.
package struct TimeShiftPlan: Equatable, Sendable {
    /// When bytes go to disk that memory has no room for.
    package enum Spilling: String, Sendable, CaseIterable {
        /// While the stream is paused or heard late.
        case late
        /// All the time.
        case always
        case never
    }

    /// More than any MPEG audio has, in bytes a second.
    private static let mostPerSecond = 40_000.0
    /// The least that a rate is taken for: 32 kbit/s.
    private static let leastPerSecond = 4000.0

    /// Seconds that are kept; 0 switches it off.
    package var seconds = 3600
    package var spilling = Spilling.late
    /// Folders for the file, in the order in which they are tried.
    package var folders: [String] = []
    /// Memory for it at most, in bytes: four minutes at 128 kbit/s.
    package var mostMemory = 4 << 20

    /// A reader that did not move for so long is paused.
    var patience: Duration = .seconds(5)

    package init() {}

    /// Memory that is used, in bytes.
    var memoryBytes: Int {
        max(256 << 10, min(mostMemory, Int(Double(min(seconds, 86_400)) * Self.mostPerSecond)))
    }

    /// The size of the file for a stream of that rate.
    func bytesOnDisk(perSecond rate: Double) -> Int64 {
        let rate =
            rate.isFinite ? min(max(rate, Self.leastPerSecond), 4 * Self.mostPerSecond) : Self.mostPerSecond
        return Int64(Double(min(seconds, 86_400)) * rate)
    }
}
