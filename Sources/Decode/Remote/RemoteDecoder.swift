import Base
import DecoderLink

/// Decodes by `jukebox-decoder`: FFmpeg, in a process of its own that has neither files nor network.
///
/// One side speaks at a time. The process is asked for frames, asks for bytes meanwhile, which are read here, and
/// answers; nothing that it says is believed.
final class RemoteDecoder: Decoder {
    /// Time that it may take without giving anything.
    var patience = Duration.seconds(20)
    /// A command of the user's is served that often while it takes its time.
    static let attention = Duration.milliseconds(100)
    /// Questions without a frame between them; files whose index is missing are read through.
    static let mostMetadata = 64
    static let largestPicture = 16 << 20
    /// Times in a row that a station's process may break down.
    static let mostBreakdowns = 3
    /// Seconds of sound after which a breakdown is the first one again.
    private static let goodWhile = 10

    let reader: SourceReader
    let name: String
    let places: LiveIndex
    private let program: String?
    private static let ogg = "an Ogg stream"

    /// Why nobody else decodes it.
    let refusal: PlaybackFailure
    /// In the words a person knows it by; nil when its bytes do not tell.
    private(set) var what: String?

    var process: DecoderProcess?
    var stream = RemoteStream()
    /// How often it broke down without a good while of sound between.
    var breakdowns = 0
    /// Frames since the last breakdown.
    var framesSinceBreakdown = 0
    /// True once it was open.
    private(set) var isOpen = false
    var isReviving = false
    /// What it waits for, or is waited for.
    var turn = Turn.idle
    /// Without sound so far: when that began, and what it has been waited for since.
    var silence = Duration.zero
    var metadataCount = 0

    // MARK: Frames in the memory

    var format = AudioFormat(sampleRate: 44100, channels: 2)
    /// Those that were not taken.
    var held = 0..<0
    /// True when frames were taken that it still counts.
    var haveFramesBeenTaken = false
    var heldFormat: AudioFormat?
    var metadata: [TimedMetadata] = []
    var picture: [UInt8] = []
    private(set) var isPositionExact = true

    // MARK: A live stream

    var isLive = false
    var live = Live()
    var livePlace: (offset: Int64, seconds: Double)?
    var offset: Int64 = 0

    /// Whose turn it is to speak.
    enum Turn {
        case idle
        /// It owes an answer to a command.
        case its
        /// It has asked for bytes.
        case asked(offset: Int64, count: Int, readyFrames: Int)
    }

    init(
        _ reader: SourceReader, name: String, places: LiveIndex, otherwise refusal: PlaybackFailure,
        program: String? = Installation.program("jukebox-decoder")
    ) {
        self.program = program
        self.reader = reader
        self.name = name
        self.places = places
        self.refusal = refusal
    }

    // MARK: Opening

    func open() throws(PlaybackFailure) -> StreamInformation? {
        let start = reader.sessionStart
        reader.seek(to: start)
        var opening = MPEGOpening()
        guard let position = try MPEGOpening.skipTags(reader, from: start, &opening),
            let kind = try ContentProbe.kind(reader, at: position)?.kind
        else { return try reader.interruption() }
        switch kind {
        case .sound(let name): what = name
        case .unknown: break
        case .other, .mpegAudio: throw refusal
        }
        try startProcess()
        isLive = reader.source.information?.isLive == true
        live.index = places
        guard let information = try openStream(RemoteStream(at: start)) else { return nil }
        isOpen = true
        reader.dropHead()
        return information
    }

    /// Starts a process in the place of any before.
    func startProcess() throws(PlaybackFailure) {
        turn = .idle
        guard let program else {
            throw PlaybackFailure(
                .unsupportedFormat, "\(shown) needs jukebox-decoder, which is not installed.")
        }
        do throws(SystemError) {
            process = try DecoderProcess(program)
        } catch {
            throw PlaybackFailure(.internal, "jukebox-decoder cannot be started: \(error).")
        }
    }

    /// Lets the process open a stream. Nil when interrupted.
    func openStream(_ next: RemoteStream) throws(PlaybackFailure) -> StreamInformation? {
        let content = reader.source.information ?? ContentInformation()
        let hasRanges = content.isSeekable && content.length != nil && !content.isLive
        // What came whole can be gone back in, and what comes in one piece of unknown length is kept.
        let isHere = content.length.map { reader.source.bytesAvailable(from: 0) >= $0 } ?? true
        stream = next
        // Ogg needs no going back, and its links are found by reading on.
        stream.isInRandomOrder = hasRanges || isHere && !content.isLive && what != Self.ogg
        if !stream.isInRandomOrder, what == Self.ogg {
            stream.pages = OggPages(at: next.start, isStart: next.preface.isEmpty)
        }
        let opening = LinkOpening(
            length: content.isLive ? nil : content.length.map { Int($0 - next.start) },
            isSeekable: stream.isInRandomOrder, hasRanges: hasRanges, isLive: content.isLive,
            ending: MediaEnding.of(name, contentType: content.contentType))
        picture = []
        guard let reply = try command({ memory in .open(textBytes: memory.write(text: opening.bytes)) })
        else { return nil }
        guard case .opened(let count) = reply, let process,
            let information = LinkInformation(process.memory.text(count))
        else { throw try unexpected(reply) }
        keepHead()
        format = AudioFormat(sampleRate: information.sampleRate, channels: information.channels)
        live.beginsAnywhere = information.traits.contains(.beginsAnywhere)
        var told = StreamInformation(information, picture: picture)
        if isLive { told.isSeekable = content.isSeekable && isLiveSeekable }
        picture = []
        return told
    }

    /// What it is called in a sentence: `x.flac, a FLAC file,`.
    private var shown: String { what.map { "\(name) is \($0), which" } ?? name }

    // MARK: Decoding

    func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> DecodeOutcome {
        // Whatever interrupted the last read was served meanwhile.
        reader.resume()
        while true {
            if !held.isEmpty { return unsafe take(into: buffer) }
            if !metadata.isEmpty { return .metadata(metadata.removeFirst()) }
            if let next = heldFormat {
                heldFormat = nil
                format = next
                return .formatChanged(next)
            }
            if let outcome = try step(buffer.count / format.channels) { return outcome }
        }
    }

    /// Lets the process go on; nil when it has left something to be taken.
    private func step(_ frames: Int) throws(PlaybackFailure) -> DecodeOutcome? {
        let most = min(frames, SharedMemory.mostFrames / format.channels, isLive ? Self.liveFrames : .max)
        guard let reply = try command({ _ in .decode(frames: most) }) else {
            return reader.isInterrupted ? .interrupted : nil
        }
        switch reply {
        case .frames(let count, let place):
            hold(count)
            note(place)
        case .format(let rate, let channels):
            heldFormat = AudioFormat(sampleRate: rate, channels: channels)
        case .metadata(let count): try takeMetadata(count)
        case .tag(let count): try takeTag(count)
        // A seek that was interrupted is done by now.
        case .seeked: break
        case .end:
            if let failure = reader.failure { throw failure }
            guard case .outcome(let outcome) = try goOnWithNextStream() else { return nil }
            return outcome
        default: throw try unexpected(reply)
        }
        return nil
    }

    /// Notes frames that lie in the memory.
    func hold(_ count: Int) {
        held = 0..<min(count, SharedMemory.mostFrames / format.channels)
        silence = .zero
        metadataCount = 0
        framesSinceBreakdown += held.count
        if framesSinceBreakdown > Self.goodWhile * format.sampleRate { breakdowns = 0 }
    }

    /// Copies frames out of the memory, which the process may write at any time: what is no number becomes silence.
    private func take(into buffer: UnsafeMutableBufferPointer<Float>) -> DecodeOutcome {
        guard let process else { return .end }
        let count = min(held.count, buffer.count / format.channels)
        let first = held.lowerBound * format.channels
        let samples = unsafe process.memory.samples
        for index in 0..<count * format.channels {
            let sample = unsafe samples[first &+ index]
            unsafe buffer[index] = abs(sample) <= 1e3 ? sample : 0
        }
        held = held.lowerBound + count..<held.upperBound
        return .frames(count)
    }

    /// What it says of what follows.
    private func told(_ count: Int) throws(PlaybackFailure) -> [UInt8] {
        metadataCount += 1
        guard let process, metadataCount <= Self.mostMetadata else {
            throw damaged("it says much and sounds little")
        }
        return process.memory.text(count)
    }

    private func takeTag(_ count: Int) throws(PlaybackFailure) {
        let bytes = try told(count)
        // FFmpeg 5.1 takes the first five bytes of a tag in a transport stream for a header of its own.
        guard let tag = ID3v2(bytes) ?? ID3v2(Array("ID3".utf8) + [4, 0] + bytes) else { return }
        let fields = tag.tags(withPicture: false).fields
        if !fields.isEmpty { metadata.append(TimedMetadata(source: .id3, fields: fields, offset: offset)) }
    }

    private func takeMetadata(_ count: Int) throws(PlaybackFailure) {
        var text = LinkTextReader(try told(count))
        let fields = LinkFields(&text).shown
        if !fields.isEmpty { metadata.append(TimedMetadata(source: .vorbis, fields: fields, offset: offset)) }
    }

    // MARK: Seeking

    func seek(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        reader.resume()
        guard try abandon() else { return frame }
        held = 0..<0
        metadata = []
        heldFormat = nil
        if isLive { return try seekLive(toFrame: frame) }
        guard let reply = try command({ _ in .seek(frame: frame) }) else { return frame }
        guard case .seeked(let landed, let isExact) = reply else { throw try unexpected(reply) }
        isPositionExact = isExact
        return landed
    }
}
