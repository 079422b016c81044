import Base
import CEBUR128

/// Measures the loudness of an item while it is decoded, by libebur128. Decode thread.
@safe final class LoudnessMeter {
    private let meter: UnsafeMutablePointer<ebur128_state>
    private let format: AudioFormat
    private var frames = 0

    /// Begins; nil when the library refuses the format.
    init?(_ format: AudioFormat) {
        guard let meter = unsafe jb_ebur128_create(UInt32(format.channels), UInt(format.sampleRate)) else {
            return nil
        }
        unsafe self.meter = unsafe meter
        self.format = format
    }

    deinit { unsafe jb_ebur128_delete(meter) }

    /// How much was measured.
    var seconds: Double { format.seconds(ofFrames: frames) }

    /// Takes interleaved samples of the format; no memory is needed for it.
    func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let start = samples.baseAddress else { return }
        let count = samples.count / format.channels
        _ = unsafe ebur128_add_frames_float(meter, start, count)
        frames += count
    }

    /// What was found; nil for silence, and before there was enough.
    var result: MeasuredLoudness? {
        var lufs = 0.0
        guard unsafe ebur128_loudness_global(meter, &lufs) == EBUR128_SUCCESS.rawValue, lufs.isFinite,
            lufs > -70
        else { return nil }
        return MeasuredLoudness(lufs: lufs, seconds: seconds)
    }
}
