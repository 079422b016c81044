import Base

/// An item on the decode thread: from being opened to being heard out.
final class Stage {
    let item: DecodeItem
    let reader: SourceReader
    /// Where to begin once it is open.
    var startSeconds: Double
    private(set) var decoder: (any Decoder)?
    private(set) var information: StreamInformation?
    /// The format of the frames that come next.
    private(set) var format = AudioFormat(sampleRate: 44100, channels: 2)
    /// True once a mark of its position is in a ring.
    var isStarted = false
    /// The gain at which it is heard.
    var fader = Fader()
    /// How loud it is, as far as that is known by now.
    var loudness: ItemLoudness
    /// Measures it where that is not known.
    var meter: LoudnessMeter?
    /// Frames decoded from its beginning to here; nil when it was not decoded from there or its format changed.
    private(set) var countedFrames: Int? = 0

    // MARK: Place

    private var baseSeconds = 0.0
    private var framesSinceBase = 0

    init(_ item: DecodeItem, _ reader: SourceReader) {
        self.item = item
        self.reader = reader
        startSeconds = item.startSeconds
        loudness = item.loudness
    }

    /// The item's time at the frame that comes next.
    var seconds: Double { baseSeconds + format.seconds(ofFrames: framesSinceBase) }

    /// True when a seek can do something.
    var isSeekable: Bool { information?.isSeekable == true }

    /// Frames from here to its end, where both are known exactly.
    var framesLeft: Int? {
        guard let information, !information.isEstimated, let frames = information.frames,
            let countedFrames
        else { return nil }
        return max(0, frames - countedFrames)
    }

    /// Opens the item and goes to its start. False when interrupted: try again later with a new stage.
    func open() throws(PlaybackFailure) -> Bool {
        guard let (decoder, information) = try DecoderFactory.open(item, reader) else { return false }
        self.decoder = decoder
        self.information = information
        format = information.format
        if startSeconds > 0, information.isSeekable {
            try seek(toSeconds: startSeconds)
            if reader.isInterrupted { return false }
        }
        return true
    }

    /// Goes to a place, at most the end. Check the reader for an interruption.
    func seek(toSeconds target: Double) throws(PlaybackFailure) {
        guard let decoder, let information else { return }
        var frame = format.frames(inSeconds: target)
        if let frames = information.frames, !information.isEstimated { frame = min(frame, frames) }
        let landed = try decoder.seek(toFrame: frame)
        baseSeconds = format.seconds(ofFrames: landed)
        framesSinceBase = 0
        countedFrames = decoder.isPositionExact ? landed : nil
    }

    /// Notes that the frame that comes next has another time than the one expected.
    func jump(toSeconds seconds: Double) {
        baseSeconds = seconds
        framesSinceBase = 0
        countedFrames = nil
    }

    /// Notes frames that were decoded.
    func advance(frames: Int) {
        framesSinceBase += frames
        countedFrames = countedFrames.map { $0 + frames }
    }

    /// Notes that the sound goes on in another format.
    func change(to next: AudioFormat) {
        baseSeconds = seconds
        framesSinceBase = 0
        countedFrames = nil
        format = next
    }

    /// The exact length, when the end shows that the one that was told is not.
    var correctedLength: Int? {
        guard let counted = countedFrames, let information,
            information.isEstimated || information.frames != counted
        else { return nil }
        return counted
    }
}
