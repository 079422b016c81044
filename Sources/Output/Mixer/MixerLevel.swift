/// What a card's own volume control is at.
struct MixerLevel: Equatable {
    /// 0 to 100, on the scale of `VolumeCurve`.
    let percent: Double
    let isMuted: Bool

    /// The linear factor; 0 when muted.
    var gain: Float { isMuted ? 0 : VolumeCurve.gain(percent: percent) }
}
