import Base

/// Live streams: connections that follow one another, and time shift.
///
/// Each connection is a stream of its own to the library: it begins at a frame, what the one before left cut is
/// never put together with it, and it may have another format.
extension MPEGDecoder {
    /// What is known of places in a live stream.
    struct Live {
        var index = LiveIndex()
        /// The time of the next frame that the library gives.
        var seconds = 0.0
        /// Frames to leave out before the next one that is heard.
        var dropping = 0
    }

    /// Seconds before the live end where `live` goes to, so that it can be heard at once.
    private static let cushion = 2.5

    /// Seconds that are decoded before what is heard after a seek.
    private static let preroll = 0.3

    /// Begins anew at an offset, or at the first connection after it that holds sound. False when interrupted.
    func restart(at offset: Int64, seconds: Double, dropping: Int = 0) throws(PlaybackFailure) -> Bool {
        var start = offset
        while true {
            reader.beginSession(at: start)
            if let frame = try firstFrame(from: start) {
                reader.seek(to: frame)
                if try openSession(at: frame) {
                    live?.seconds = seconds
                    live?.dropping = dropping
                    return true
                }
            }
            if reader.isInterrupted { return false }
            if let failure = reader.failure { throw failure }
            guard let next = reader.sessionBreak else {
                throw PlaybackFailure(.unsupportedFormat, "\(name) holds no sound that is known any more.")
            }
            start = next
        }
    }

    /// Tells what comes after the bytes of a connection ended; nil when nothing does.
    func goOnAfterBreak() throws(PlaybackFailure) -> DecodeOutcome? {
        guard live != nil, let next = reader.sessionBreak else { return nil }
        let isGap = reader.isBreakGap
        let seconds = isGap ? live?.index.seconds(at: next) : live?.seconds
        guard try restart(at: next, seconds: seconds ?? 0) else { return .interrupted }
        return isGap ? .jumped(seconds: live?.seconds ?? 0) : nil
    }

    /// Makes the library read a connection from its first frame. False when that is not to be had now.
    private func openSession(at frame: Int64) throws(PlaybackFailure) -> Bool {
        unsafe pending = unsafe UnsafeBufferPointer(start: nil, count: 0)
        let behaviour = Mpg123.Behaviour(isSeekable: false, isLive: true, keepsTag: true)
        let fresh = try Mpg123(reader, behaviour, base: frame)
        mpg123 = fresh
        retries = 0
        guard let next = fresh.format() else { return false }
        heldFormat = next == format ? nil : next
        return true
    }

    /// Notes frames that the library gave; returns how many of them are left out.
    func takeLive(_ frames: Int, at offset: Int64) -> Int {
        guard var live else { return 0 }
        live.index.note(offset: offset, seconds: live.seconds)
        livePlace = (offset, live.seconds)
        let dropped = min(frames, live.dropping)
        live.dropping -= dropped
        live.seconds += format.seconds(ofFrames: frames)
        self.live = live
        return dropped
    }

    /// The metadata that came up to that byte and were not told yet.
    func news(at offset: Int64) -> [TimedMetadata] {
        let news = reader.source.takeMetadata(upTo: offset &+ 1)
        defer { hasToldTitles = hasToldTitles || !news.isEmpty }
        guard isTitleToBeTold, hasToldTitles || !news.isEmpty else { return news }
        isTitleToBeTold = false
        if let last = news.last { return [last] }
        // Before the first title nothing is known of what was played.
        let none = TimedMetadata.Field("StreamTitle", "")
        return [TimedMetadata(source: .icy, fields: [none], offset: offset)]
    }

    /// The first frame of what begins there; nil at the end of it without one.
    private func firstFrame(from start: Int64) throws(PlaybackFailure) -> Int64? {
        var position = start
        while let header = reader.bytes(at: position, count: APETag.headerBytes),
            let tag = ID3v2.bytes(header)
        {
            position &+= Int64(tag)
        }
        var wanted = 2048
        while let bytes = reader.bytes(at: position, count: wanted) {
            let isComplete = bytes.count < wanted
            switch ContentProbe.kind(of: bytes, isComplete: isComplete || wanted >= ContentProbe.window) {
            case .mpegAudio(let index): return position &+ Int64(index)
            // A few bytes before a drop look like anything.
            case .sound where isComplete && bytes.count < 512: return nil
            case .other where isComplete && bytes.count < 512: return nil
            case .sound(let what), .other(let what):
                throw PlaybackFailure(
                    .unsupportedFormat, "\(name) goes on as \(what), which cannot be played.")
            case .unknown: return nil
            case nil: wanted *= 4
            }
        }
        return nil
    }

    // MARK: Seeking

    /// Goes to a time, at most to a little before the live end; returns the time that comes next.
    func seekLive(toSeconds target: Double) throws(PlaybackFailure) -> Double {
        guard var live, let held = reader.source.heldRange else { return 0 }
        let wanted = max(0, target)
        if let last = live.index.point(at: .infinity, heldFrom: held.lowerBound) {
            var walker = MPEGWalker(reader, from: last)
            walker.walk(to: wanted + Self.cushion, &live.index)
            self.live?.index = live.index
            let edge = max(last.seconds, walker.seconds)
            return try land(at: min(wanted, max(0, edge - Self.cushion)), held.lowerBound)
        }
        let seconds = live.index.seconds(at: held.lowerBound)
        return try restart(at: held.lowerBound, seconds: seconds) ? seconds : target
    }

    private func land(at seconds: Double, _ oldest: Int64) throws(PlaybackFailure) -> Double {
        // Frames of layer III need those before them.
        guard let point = live?.index.point(at: seconds - Self.preroll, heldFrom: oldest) else {
            return seconds
        }
        let ahead = max(0, seconds - point.seconds)
        reader.source.rewindMetadata(to: point.offset)
        isTitleToBeTold = true
        let rate = format.sampleRate
        guard try restart(at: point.offset, seconds: point.seconds, dropping: Int(ahead * Double(rate)))
        else { return seconds }
        return point.seconds + ahead
    }
}
