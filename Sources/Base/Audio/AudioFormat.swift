/// The form of decoded sound: interleaved 32-bit float frames.
package struct AudioFormat: Hashable, Sendable {
    /// Frames a second in Hz, 1 to 768,000.
    package let sampleRate: Int
    /// Samples a frame, 1 to 8.
    package let channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The duration of that many frames in seconds.
    package func seconds(ofFrames frames: Int) -> Double { Double(frames) / Double(sampleRate) }

    /// The frames that last for that many seconds, rounded to the nearest.
    package func frames(inSeconds seconds: Double) -> Int {
        Int((max(0, min(seconds, 1e9)) * Double(sampleRate)).rounded())
    }
}
