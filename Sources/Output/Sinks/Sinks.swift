/// Makes the device that an output names.
enum Sinks {
    /// Opens nothing yet.
    static func make(_ kind: OutputSpec.Kind) -> any Sink {
        switch kind {
        case .automatic: AlsaSink(device: "default")
        case .alsa(let device, let settings): AlsaSink(device: device, rewinding: settings.rewinding)
        case .null(let timed): ClockSink(timed: timed)
        case .wav(let path, let timed, let rate, let channels):
            ClockSink(timed: timed, tape: Recording(path: path, rate: rate, channels: channels))
        case .fifo(let path, let format):
            broadcast(
                FifoLine(
                    path: path, frameBytes: format.frameBytes,
                    wantedBytes: 2 * format.bytes(in: format.lead)), format)
        case .tcp(let host, let port, let format):
            broadcast(
                SocketLine(host: host, port: port, bufferBytes: 2 * format.bytes(in: format.lead)), format)
        }
    }

    private static func broadcast(_ line: any BroadcastLine, _ format: StreamFormat) -> ClockSink {
        ClockSink(timed: true, tape: Broadcast(line, format))
    }
}
