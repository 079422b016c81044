/// Makes the device that an output names.
enum Sinks {
    /// Opens nothing yet.
    static func make(_ kind: OutputSpec.Kind) -> any Sink {
        switch kind {
        case .automatic: AlsaSink(device: "default")
        case .alsa(let device, let rewinding): AlsaSink(device: device, rewinding: rewinding)
        case .null(let timed): ClockSink(timed: timed)
        case .wav(let path, let timed, let rate, let channels):
            ClockSink(wav: path, timed: timed, rate: rate, channels: channels)
        }
    }
}
