/// How loud a volume is: the cube of its share, as people hear it about evenly.
///
/// 100 is 1 exactly (0 dB), 50 is -18 dB, 10 is -60 dB, 0 is silence. PulseAudio and PipeWire use the same.
package enum VolumeCurve {
    /// The linear factor for a volume of 0 to 100; beyond is clamped, NaN is silence.
    package static func gain(percent: Double) -> Float {
        guard percent > 0 else { return 0 }
        let share = min(percent, 100) / 100
        return Float(share * share * share)
    }
}
