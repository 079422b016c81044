import Base

/// A decoder of live streams, which keeps their time.
protocol LiveDecoding: Decoder {
    /// Where its seconds lie, as far as is known.
    var livePlaces: LiveIndex { get }
    /// The time of the next frame that is decoded.
    var liveSeconds: Double { get set }
}

/// A station, which may come back in another codec: MPEG audio has a decoder of its own.
final class LiveDecoder: Decoder {
    private let reader: SourceReader
    private let item: DecodeItem
    private let information: StreamInformation
    private var decoder: any LiveDecoding
    private var format: AudioFormat
    private var heldFormat: AudioFormat?

    /// Takes over a decoder that is open.
    init(
        _ item: DecodeItem, _ reader: SourceReader, _ decoder: any LiveDecoding,
        _ information: StreamInformation
    ) {
        self.item = item
        self.reader = reader
        self.decoder = decoder
        self.information = information
        format = information.format
    }

    var isPositionExact: Bool { decoder.isPositionExact }
    var livePlace: (offset: Int64, seconds: Double)? { decoder.livePlace }

    func open() throws(PlaybackFailure) -> StreamInformation? { information }

    func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> DecodeOutcome {
        if let next = heldFormat {
            heldFormat = nil
            return .formatChanged(next)
        }
        do throws(PlaybackFailure) {
            let outcome = try unsafe decoder.decode(into: buffer)
            if case .formatChanged(let next) = outcome { format = next }
            return outcome
        } catch {
            guard try change(after: error) else { return .interrupted }
            return try unsafe decode(into: buffer)
        }
    }

    func seek(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        do throws(PlaybackFailure) {
            return try decoder.seek(toFrame: frame)
        } catch {
            guard try change(after: error) else { return frame }
            return format.frames(inSeconds: decoder.liveSeconds)
        }
    }

    /// Decodes what has begun with the other decoder, if that can; else throws what the first one said. False when
    /// interrupted.
    private func change(after failure: PlaybackFailure) throws(PlaybackFailure) -> Bool {
        let old = decoder
        guard failure.code == .unsupportedFormat, reader.failure == nil else { throw failure }
        reader.beginSession(at: reader.sessionStart)
        guard let (new, information) = try DecoderFactory.open(item, reader, old.livePlaces) else {
            return false
        }
        guard type(of: new) != type(of: old) else { throw failure }
        new.liveSeconds = old.liveSeconds
        decoder = new
        if information.format != format { heldFormat = information.format }
        format = information.format
        return true
    }
}

extension MPEGDecoder: LiveDecoding {
    var livePlaces: LiveIndex { live?.index ?? LiveIndex() }
    var liveSeconds: Double {
        get { live?.seconds ?? 0 }
        set { live?.seconds = newValue }
    }
}

extension RemoteDecoder: LiveDecoding {
    var livePlaces: LiveIndex { live.index }
    var liveSeconds: Double {
        get { live.seconds }
        set { live.seconds = newValue }
    }
}
