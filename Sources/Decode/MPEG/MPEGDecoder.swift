import Base

/// Decodes MPEG audio, layers I to III, by libmpg123.
@safe final class MPEGDecoder: Decoder {
    /// Bytes that hold a frame of any kind and the header after it.
    private static let frameBytes = 8192
    private static let retryLimit = 64
    /// Frames that the library reads before the one it is to decode, and the most that an encoder adds.
    private static let framesBefore = 20
    /// Bytes without a frame after which a live stream is looked at again.
    private static let inspectedBytes: Int64 = 24 << 10

    let reader: SourceReader
    let name: String
    /// Of a live stream, where it was decoded before.
    private let places: LiveIndex
    var mpg123: Mpg123?
    var format = AudioFormat(sampleRate: 44100, channels: 2)
    private(set) var trim = Trim()
    /// Bytes of sound of a frame of the stream, on average; nil when unknown.
    private(set) var meanFrameBytes: Double?
    private var constant: (frameBytes: Double, frames: Int)?
    var lastTags = Tags()

    // MARK: Between two calls

    /// The next frame of libmpg123, before trimming.
    var nextFrame = 0
    // Safe because it points into the library's buffer and is emptied before the library is called again.
    var pending = unsafe UnsafeBufferPointer<Float>(start: nil, count: 0)
    var metadata: [TimedMetadata] = []
    var retries = 0
    var heldFormat: AudioFormat?
    private var isIndexWorkedOut = false
    private var table: (places: XingTable, bytes: Int64)?
    /// True while the library goes by a frame that was found by the table.
    private var isGuessing = false
    private var isFalseFrame = false
    var isLive = false
    private var nextOffset: Int64 = 0

    // MARK: A live stream

    var live: Live?
    var livePlace: (offset: Int64, seconds: Double)?
    /// True after a seek: the title of that place is told, or that there is none.
    var isTitleToBeTold = false
    var hasToldTitles = false

    private(set) var isPositionExact = true

    /// Samples to leave out at the start and the end, where the library does not do it.
    struct Trim: Equatable {
        var start = 0
        var frames: Int?
    }

    init(_ reader: SourceReader, name: String, places: LiveIndex = LiveIndex()) {
        self.reader = reader
        self.name = name
        self.places = places
    }

    // MARK: Opening

    func open() throws(PlaybackFailure) -> StreamInformation? {
        while true {
            do throws(PlaybackFailure) {
                return try openStream()
            } catch {
                // A connection that ended before it gave a frame says nothing of the next one.
                guard reader.failure == nil, reader.source.information?.isLive == true,
                    let next = reader.sessionBreak
                else { throw error }
                reader.beginSession(at: next)
            }
        }
    }

    private func openStream() throws(PlaybackFailure) -> StreamInformation? {
        let start = reader.offset
        guard let opening = try MPEGOpening.read(reader, from: start, name: name) else { return nil }
        let content = reader.source.information ?? ContentInformation()
        let isSeekable = content.isSeekable && content.length != nil
        let behaviour = Mpg123.Behaviour(
            isSeekable: isSeekable, isLive: content.isLive, keepsTag: opening.keepsTags)
        let mpg123 = try Mpg123(reader, behaviour, base: start)
        self.mpg123 = mpg123
        guard let format = mpg123.format() else {
            if reader.isInterrupted { return nil }
            if let failure = reader.failure { throw failure }
            throw PlaybackFailure(.unsupportedFormat, "\(name) holds no MPEG audio that can be decoded.")
        }
        self.format = format
        let details = MPEGDetails(mpg123, reader, opening, format)
        trim = details.trim
        meanFrameBytes = details.meanFrameBytes
        constant = details.constant
        table = details.table
        lastTags = details.information.tags
        nextFrame = mpg123.position
        isLive = content.isLive
        if isLive {
            live = Live(index: places)
            reader.inspect = { [unowned self] in inspect() }
        }
        reader.dropHead()
        reader.blanksTags = true
        return details.information
    }

    // MARK: Decoding

    func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> DecodeOutcome {
        var filled = 0
        while filled < buffer.count {
            if unsafe pending.isEmpty && metadata.isEmpty {
                // What is decoded already must not wait for bytes that are not here.
                if filled > 0, !reader.hasBytes(Self.frameBytes) { break }
                if let outcome = try nextSamples(filled: filled > 0) {
                    if filled > 0 { break }
                    return outcome
                }
                continue
            }
            if !metadata.isEmpty {
                if filled > 0 { break }
                return .metadata(metadata.removeFirst())
            }
            let count = unsafe min(pending.count, buffer.count - filled)
            _ = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled..<filled + count])
                .update(fromContentsOf: pending[..<count])
            unsafe pending = unsafe UnsafeBufferPointer(rebasing: pending[count...])
            filled += count
        }
        return .frames(filled / format.channels)
    }

    /// Gets the next samples and the metadata before them; or what else came. With `filled`, nothing is lost
    /// when the caller stops: the outcome comes again.
    private func nextSamples(filled: Bool) throws(PlaybackFailure) -> DecodeOutcome? {
        guard let mpg123 else { return .end }
        if let next = heldFormat {
            if filled { return .end }
            heldFormat = nil
            format = next
            return .formatChanged(next)
        }
        switch mpg123.step() {
        case .samples(let samples, let offset):
            retries = 0
            unsafe take(samples, at: offset)
            if !samples.isEmpty { takeMetadata(at: offset) }
            if isLive { watchContent(after: mpg123.offset) }
        case .newFormat:
            guard let next = mpg123.format() else { return nil }
            isFalseFrame = next != format && !isBegun(at: mpg123.frameOffset)
            if let outcome = try stopped(filled: filled) { return outcome }
            guard next != format, !isFalseFrame else { return nil }
            heldFormat = next
            if filled { return .end }
            return try nextSamples(filled: false)
        // The library also takes a failed read for the end.
        case .end:
            if let outcome = try stopped(filled: filled) { return outcome }
            if filled || live == nil || reader.sessionBreak == nil { return .end }
            return try goOnAfterBreak()
        case .failed: return try failed(filled: filled)
        }
        return nil
    }

    private func take(_ samples: UnsafeBufferPointer<Float>, at offset: Int64) {
        let frames = samples.count / format.channels
        var first = min(frames, max(0, trim.start - nextFrame))
        if live != nil { first = takeLive(frames, at: offset) }
        let end = trim.frames.map { max(first, min(frames, trim.start + $0 - nextFrame)) } ?? frames
        nextFrame += frames
        unsafe pending = unsafe UnsafeBufferPointer(
            rebasing: samples[first * format.channels..<end * format.channels])
    }

    private func takeMetadata(at offset: Int64) {
        metadata += news(at: offset)
        if let mpg123, mpg123.hasNewTag, let tags = mpg123.takeID3v2().flatMap({ ID3v2($0)?.tags }),
            tags.fields != lastTags.fields
        {
            lastTags = tags
            if !tags.fields.isEmpty {
                metadata.append(TimedMetadata(source: .id3, fields: tags.fields, offset: offset))
            }
        }
    }

    /// Why reading stopped; nil when the reader did not stop it.
    private func stopped(filled: Bool) throws(PlaybackFailure) -> DecodeOutcome? {
        if reader.isInterrupted { return .interrupted }
        guard let failure = reader.failure else { return nil }
        if filled { return .end }
        throw failure
    }

    private func failed(filled: Bool) throws(PlaybackFailure) -> DecodeOutcome? {
        if let outcome = try stopped(filled: filled) { return outcome }
        retries += 1
        if retries < Self.retryLimit { return nil }
        if filled { return .end }
        throw PlaybackFailure(.corrupt, "\(name) is damaged: \(mpg123?.reason ?? "no reason is known").")
    }

    /// Tells when a station goes on in another codec, which the library would take for damage without end.
    private func watchContent(after offset: Int64) {
        reader.checkpoint = offset &+ Self.inspectedBytes
        nextOffset = offset
    }

    private func inspect() -> PlaybackFailure? {
        failure(of: reader.glance(at: nextOffset, count: Self.frameBytes))
    }

    private func failure(of bytes: [UInt8]) -> PlaybackFailure? {
        guard let what = ContentProbe.kind(of: bytes, isComplete: false)?.otherName else { return nil }
        return PlaybackFailure(
            .unsupportedFormat, "\(name) goes on as \(what), which cannot be played.")
    }

    /// True when a stream of another format really begins there: garbage has headers, but none that others follow.
    private func isBegun(at offset: Int64) -> Bool {
        let bytes = reader.glance(at: offset, count: Self.frameBytes)
        if isLive, let failure = failure(of: bytes) { reader.fail(failure) }
        if ContentProbe.firstFrame(in: bytes, isComplete: false) == 0 { return true }
        // At the edge of what is here nothing can be said.
        return bytes.count < Self.frameBytes / 2
    }

    // MARK: Seeking

    func seek(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        let wasInterrupted = reader.isInterrupted
        reader.resume()
        unsafe pending = unsafe UnsafeBufferPointer(start: nil, count: 0)
        metadata = []
        if live != nil {
            let seconds = try seekLive(toSeconds: format.seconds(ofFrames: frame))
            return format.frames(inSeconds: seconds)
        }
        guard let mpg123 else { return 0 }
        let target = max(0, trim.frames.map { min($0, frame) } ?? frame) + trim.start
        stopGuessing()
        let isFuzzy = !canReadUp(to: target) && !useConstantSize()
        // The library takes the frame that was cut by an interruption as read; a way back by the index sets it right.
        if wasInterrupted, target >= nextFrame {
            _ = mpg123.seek(to: max(0, nextFrame - 4 * mpg123.samplesPerFrame), isFuzzy: isFuzzy)
        }
        let isByTable = isFuzzy && guess(target)
        guard let landed = mpg123.seek(to: target, isFuzzy: isFuzzy && !isByTable) else {
            if let failure = reader.failure { throw failure }
            if reader.isInterrupted { return frame }
            throw PlaybackFailure(.corrupt, "\(name) has no such place: \(mpg123.reason).")
        }
        nextFrame = landed
        isPositionExact = !isFuzzy || !isByTable && mpg123.isExact
        return max(0, landed - trim.start)
    }

    /// Gives the library an index that is worked out from the constant size of the frames, once.
    private func useConstantSize() -> Bool {
        if isIndexWorkedOut { return true }
        guard let constant, let mpg123, let start = mpg123.indexed(before: 0) else { return false }
        mpg123.setIndex(
            Mpg123.Index(
                first: start.offset, bytesPerFrame: constant.frameBytes, frames: constant.frames))
        isIndexWorkedOut = true
        return true
    }

    /// Tells the library of one frame shortly before a place, found by the header's table, until `stopGuessing`.
    ///
    /// Left to itself it goes to the hundredth before, and reads seconds of sound that nobody hears.
    private func guess(_ target: Int) -> Bool {
        guard let table, let mpg123, let first = mpg123.indexed(before: 0)?.offset else { return false }
        let frame = target / mpg123.samplesPerFrame - Self.framesBefore
        guard frame > 0,
            let start = frameStart(near: table.places.offset(of: frame, first: first, bytes: table.bytes))
        else { return false }
        mpg123.setIndex(Mpg123.Index(offsets: [first, start], step: frame))
        isGuessing = true
        return true
    }

    /// The first frame of this stream at an offset or after it.
    private func frameStart(near offset: Int64) -> Int64? {
        let place = reader.offset
        defer { reader.seek(to: place) }
        guard let bytes = reader.bytes(at: offset, count: ContentProbe.leastBytes),
            let index = ContentProbe.firstFrame(in: bytes, isComplete: false),
            let header = MPEGFrameHeader(bytes, at: index), header.sampleRate == format.sampleRate,
            header.samples == mpg123?.samplesPerFrame
        else { return nil }
        return offset + Int64(index)
    }

    /// Leaves the library with what is certain: where its first frame lies.
    private func stopGuessing() {
        guard isGuessing, let first = mpg123?.indexed(before: 0)?.offset else { return }
        mpg123?.setIndex(Mpg123.Index(offsets: [first], step: 1))
        isGuessing = false
    }

    /// True when all frames up to that one can be read without fetching much: then a seek is exact.
    private func canReadUp(to frame: Int) -> Bool {
        let largest = 64 << 20
        guard let mpg123, let meanFrameBytes, let entry = mpg123.indexed(before: frame) else { return false }
        let frames = frame / entry.samples - entry.frame
        let bytes =
            Int64(clamping: Int(min(1e12, Double(max(0, frames)) * meanFrameBytes * 1.1))) + (64 << 10)
        if bytes > largest { return false }
        if reader.source.information?.isLocal == true { return true }
        let length = reader.source.information?.length ?? .max
        return reader.source.bytesAvailable(from: entry.offset) >= min(bytes, length &- entry.offset)
    }
}
