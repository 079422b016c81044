import Base

/// Decodes streams that follow one another as one: each by a decoder of its own.
final class SegmentedDecoder: Decoder {
    /// Streams in a row that hold nothing to be heard, after which no more are tried.
    private static let mostFailures = 8
    /// Seconds that are decoded before what is heard after a seek.
    private static let preroll = 0.3
    /// Frames that are decoded at a time for nobody to hear.
    private static let skipped = 4096

    private let source: any SegmentedSource
    private let item: DecodeItem
    private let reader: SourceReader
    private var current: (decoder: any Decoder, reader: SourceReader)?
    private var format = AudioFormat(sampleRate: 44100, channels: 2)
    /// What is to be opened next; kept while that is interrupted.
    private var awaited: SoundPart?
    private var failures = 0
    /// To be told before the next frame.
    private var heldFormat: AudioFormat?
    private var metadata: [TimedMetadata] = []
    /// The frame that comes next, of a whole that is not live.
    private var position = 0
    private(set) var isPositionExact = true

    init(_ source: any SegmentedSource, _ item: DecodeItem, _ reader: SourceReader) {
        self.source = source
        self.item = item
        self.reader = reader
    }

    func open() throws(PlaybackFailure) -> StreamInformation? {
        resume()
        awaited = source.part(at: 0)
        guard var information = try openAwaited() else { return nil }
        format = information.format
        information.frames = source.duration.map { format.frames(inSeconds: $0) }
        information.isEstimated = true
        information.isSeekable = information.frames != nil
        information.isGapless = false
        return information
    }

    func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> DecodeOutcome {
        resume()
        while true {
            if let next = heldFormat {
                heldFormat = nil
                change(to: next)
                return .formatChanged(next)
            }
            if !metadata.isEmpty { return .metadata(metadata.removeFirst()) }
            if awaited != nil {
                if let outcome = try goOn() { return outcome }
                continue
            }
            guard let current else { return .end }
            let outcome = try unsafe current.decoder.decode(into: buffer)
            switch outcome {
            case .frames(let count):
                failures = 0
                position += count
            case .formatChanged(let next): change(to: next)
            case .end:
                awaited = source.nextPart()
                if awaited != nil { continue }
            case .jumped, .metadata, .interrupted: break
            }
            return outcome
        }
    }

    /// Whatever interrupted the last call was served meanwhile.
    private func resume() {
        reader.resume()
        current?.reader.resume()
    }

    /// Begins what follows; nil when its frames can be had.
    private func goOn() throws(PlaybackFailure) -> DecodeOutcome? {
        let part = awaited
        guard let information = try openAwaited() else { return awaited == nil ? .end : .interrupted }
        if information.format != format { heldFormat = information.format }
        guard let part, part.isAfterGap, source.duration != nil else { return nil }
        position = format.frames(inSeconds: part.seconds)
        return .jumped(seconds: part.seconds)
    }

    private func change(to next: AudioFormat) {
        position = next.frames(inSeconds: format.seconds(ofFrames: position))
        format = next
    }

    /// Opens the stream that is due, or the first after it that holds sound. Nil when interrupted, and at the end.
    private func openAwaited() throws(PlaybackFailure) -> StreamInformation? {
        while let part = awaited {
            let reader = reader.another(part.source)
            do throws(PlaybackFailure) {
                guard let (decoder, information) = try DecoderFactory.open(item, reader, LiveIndex()) else {
                    return nil
                }
                current = (decoder, reader)
                awaited = nil
                return information
            } catch {
                failures += 1
                awaited = source.nextPart()
                if reader.failure != nil || awaited == nil || failures > Self.mostFailures { throw error }
            }
        }
        return nil
    }

    // MARK: Seeking

    func seek(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        resume()
        guard source.duration != nil else { return position }
        let part = source.part(at: max(0, format.seconds(ofFrames: frame) - Self.preroll))
        awaited = part
        metadata = []
        heldFormat = nil
        position = format.frames(inSeconds: part.seconds)
        isPositionExact = position == 0
        guard let information = try openAwaited() else { return frame }
        if information.format == format {
            try skip(to: frame)
        } else {
            heldFormat = information.format
        }
        return position
    }

    /// Decodes what lies before a frame, or before another format.
    private func skip(to frame: Int) throws(PlaybackFailure) {
        let scratch = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.skipped * format.channels)
        defer { unsafe scratch.deallocate() }
        var titles: [TimedMetadata] = []
        defer { metadata = titles + metadata }
        let wanted = format
        while position < frame {
            let count = min(Self.skipped, frame - position) * format.channels
            switch unsafe try decode(into: UnsafeMutableBufferPointer(rebasing: scratch[..<count])) {
            case .formatChanged(let next):
                change(to: wanted)
                heldFormat = next
                return
            case .metadata(let title): titles.append(title)
            case .end, .interrupted: return
            case .frames, .jumped: break
            }
        }
    }
}
