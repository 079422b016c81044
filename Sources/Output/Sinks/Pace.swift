import Base

/// What a device can have played at most: no more than time has passed.
///
/// PulseAudio 16 behind alsa-plugins 1.2.7 says for a moment after a start that all it was given has been heard.
struct Pace {
    /// Crystals and clocks differ by far less.
    private static let tolerance = 1.02

    private let rate: Int
    private var written = 0
    private var startedAt: MonotonicTime?

    /// For an empty device.
    init(rate: Int) { self.rate = rate }

    /// Notes frames that the device took.
    mutating func wrote(frames: Int) { written += frames }

    /// The device begins to play.
    mutating func start() { startedAt = .now }

    /// The device is empty and still.
    mutating func reset() {
        written = 0
        startedAt = nil
    }

    /// Frames that are unheard: as the device says, and where that cannot be, as many as can be.
    func unheard(told: Int) -> Int {
        guard let startedAt else { return told }
        let seconds = (.now - startedAt).inSeconds * Self.tolerance + 0.01
        return max(told, written - Int(min(seconds, 1e6) * Double(rate)))
    }
}
