/// Decides when an output that is not the master plays a frame more or fewer, to stay with the master's clock.
///
/// A frame a period (50 ms) makes good for 450 ppm at 44.1 kHz; crystals differ by 200 at most. Beyond 40 ms,
/// as after a stall, it is better to jump.
struct DriftControl {
    /// A shorter piece is not stretched: it would be heard.
    static let leastFrames = 256
    /// A difference of 0.2 ms at 44.1 kHz is left alone; what was corrected shows only after the buffer's time.
    private static let deadFrames = 8.0

    /// The smoothed lead over the master in frames; negative when behind.
    private(set) var lead = 0.0
    private var correction = 0

    /// Takes in a measured lead. Returns true when it asks for a jump.
    mutating func measure(lead now: Double, sampleRate: Int) -> Bool {
        if abs(now) > 0.04 * Double(sampleRate) {
            reset()
            return true
        }
        lead += (now - lead) / 8
        correction = lead > DriftControl.deadFrames ? 1 : lead < -DriftControl.deadFrames ? -1 : 0
        return false
    }

    /// Frames to add to the next piece, once for each measure: 1, -1 or 0.
    mutating func takeCorrection() -> Int {
        defer { correction = 0 }
        return correction
    }

    /// Forgets what was measured.
    mutating func reset() {
        lead = 0
        correction = 0
    }
}
