import Base
import DecoderLink

/// Streams that follow one another: connections of a station, Ogg that is chained; titles, and time shift.
///
/// Each is a stream of its own to the decoder, as it is to libmpg123.
extension RemoteDecoder {
    /// Frames of a station that are decoded at a time, so that a title is heard where it belongs.
    static let liveFrames = 4096
    /// Seconds before the live end where `live` goes to, so that it can be heard at once.
    private static let cushion = 2.5
    /// Seconds that are decoded before what is heard after a seek.
    private static let preroll = 0.3
    /// Heads of streams that are kept for going back.
    private static let mostHeads = 32

    /// What is known of places in a live stream.
    struct Live {
        var index = LiveIndex()
        /// The time of the next frame that is decoded.
        var seconds = 0.0
        /// True when sound can begin at any of its bytes.
        var beginsAnywhere = false
        /// Of Ogg: where streams begin, and their heads.
        var heads: [(start: Int64, bytes: [UInt8])] = []
        /// Frames to leave out before the next one that is heard.
        var dropping = 0
    }

    /// Notes from which byte the frames that are held were decoded.
    func note(_ place: Int64) {
        offset = stream.offset(of: place)
        metadata += reader.source.takeMetadata(upTo: offset &+ 1)
        guard isLive else { return }
        live.index.note(offset: offset, seconds: live.seconds)
        livePlace = (offset, live.seconds)
        live.seconds += format.seconds(ofFrames: held.count)
        let dropped = min(held.count, live.dropping)
        live.dropping -= dropped
        held = held.lowerBound + dropped..<held.upperBound
    }

    /// What to do at the end of a stream.
    enum Continuation {
        case goOn
        case outcome(DecodeOutcome)
    }

    /// Goes on with the stream that follows.
    func goOnWithNextStream() throws(PlaybackFailure) -> Continuation {
        if let link = stream.link {
            return try restart(at: link) ? .goOn : .outcome(.interrupted)
        }
        guard isLive, let next = reader.sessionBreak else { return .outcome(.end) }
        let isGap = reader.isBreakGap
        if isGap { live.seconds = live.index.seconds(at: next) }
        guard try restart(at: next) else { return .outcome(.interrupted) }
        return isGap ? .outcome(.jumped(seconds: live.seconds)) : .goOn
    }

    /// Begins anew at an offset, or at the first connection after it that holds sound. False when interrupted.
    func restart(at offset: Int64, preface: [UInt8] = []) throws(PlaybackFailure) -> Bool {
        let before = format
        var next = RemoteStream(at: offset, preface: preface)
        while true {
            if isLive { reader.beginSession(at: next.start) }
            do throws(PlaybackFailure) {
                guard let information = try openStream(next) else { return false }
                let after = format
                format = before
                heldFormat = after == before ? nil : after
                let fields = information.tags.fields
                if preface.isEmpty, !fields.isEmpty {
                    metadata.append(TimedMetadata(source: .vorbis, fields: fields, offset: offset))
                }
                return true
            } catch {
                // A connection that ended before it gave a frame says nothing of the next one.
                guard isLive, reader.failure == nil, process != nil, let start = reader.sessionBreak else {
                    throw error
                }
                next = RemoteStream(at: start)
            }
        }
    }

    /// Keeps the head of a stream of Ogg, so that it can be begun further on.
    func keepHead() {
        guard isLive, let head = stream.pages?.head, !head.isEmpty, stream.preface.isEmpty else { return }
        live.heads.append((stream.start, head))
        if live.heads.count > Self.mostHeads { live.heads.removeFirst() }
    }

    // MARK: Breakdowns

    /// Starts another process for what is still to come of a station. False when it has broken down too often.
    func revive() throws(PlaybackFailure) -> Bool {
        guard isLive, isOpen, !isReviving else { return false }
        isReviving = true
        defer { isReviving = false }
        var next = stream.pages?.next ?? stream.offset(of: stream.nextPlace)
        while breakdowns < Self.mostBreakdowns {
            breakdowns += 1
            framesSinceBreakdown = 0
            held = 0..<0
            Log.warning("decode", "jukebox-decoder broke down over \(name); it is started again")
            try startProcess()
            do throws(PlaybackFailure) {
                _ = try restart(at: next, preface: live.heads.last?.bytes ?? [])
                return true
            } catch {
                if process != nil || reader.failure != nil { throw error }
                next = stream.pages?.next ?? stream.offset(of: stream.nextPlace)
            }
        }
        return false
    }

    // MARK: Seeking

    /// True when there is a way back in it.
    var isLiveSeekable: Bool { live.beginsAnywhere || !live.heads.isEmpty }

    /// Goes to a time that is held, at most to a little before the live end; returns the frame that comes next.
    func seekLive(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        let here = format.frames(inSeconds: live.seconds)
        guard isLiveSeekable, let held = reader.source.heldRange,
            let edge = live.index.point(at: .infinity, heldFrom: held.lowerBound)
        else { return here }
        let wanted = min(format.seconds(ofFrames: frame), max(0, edge.seconds - Self.cushion))
        guard let point = live.index.point(at: wanted - Self.preroll, heldFrom: held.lowerBound) else {
            return here
        }
        reader.source.rewindMetadata(to: point.offset)
        let head = live.heads.last { $0.start <= point.offset }
        live.seconds = point.seconds
        let isAtStart = head?.start == point.offset
        guard try restart(at: point.offset, preface: isAtStart ? [] : head?.bytes ?? []) else { return frame }
        live.dropping = format.frames(inSeconds: max(0, wanted - point.seconds))
        return format.frames(inSeconds: max(point.seconds, wanted))
    }
}
