import Base
import DecoderLink

/// Live streams: connections that follow one another, titles, and time shift.
///
/// Each connection is a stream of its own to the decoder, as it is to libmpg123.
extension RemoteDecoder {
    /// Frames of a station that are decoded at a time, so that a title is heard where it belongs.
    static let liveFrames = 4096
    /// Seconds before the live end where `live` goes to, so that it can be heard at once.
    private static let cushion = 2.5
    /// Seconds that are decoded before what is heard after a seek.
    private static let preroll = 0.3

    /// What is known of places in a live stream.
    struct Live {
        var index = LiveIndex()
        /// The time of the next frame that is decoded.
        var seconds = 0.0
        /// True when sound can begin anywhere in it.
        var beginsAnywhere = false
    }

    /// Notes from which byte the frames that are held were decoded.
    func note(_ place: Int64) {
        offset = place
        guard isLive else { return }
        live.index.note(offset: place, seconds: live.seconds)
        livePlace = (place, live.seconds)
        live.seconds += format.seconds(ofFrames: held.count)
        metadata += reader.source.takeMetadata(upTo: place &+ 1)
    }

    /// Goes on with the connection that follows; nil when none does.
    func goOnAfterBreak() throws(PlaybackFailure) -> DecodeOutcome? {
        guard let next = reader.sessionBreak else { return nil }
        let isGap = reader.isBreakGap
        if isGap { live.seconds = live.index.seconds(at: next) }
        guard try restart(at: next) else { return .interrupted }
        return isGap ? .jumped(seconds: live.seconds) : nil
    }

    /// Begins anew at an offset, or at the first connection after it that holds sound. False when interrupted.
    private func restart(at offset: Int64) throws(PlaybackFailure) -> Bool {
        let before = format
        var start = offset
        while true {
            reader.beginSession(at: start)
            do throws(PlaybackFailure) {
                guard let information = try openStream(at: start) else { return false }
                let next = format
                format = before
                heldFormat = next == before ? nil : next
                let fields = information.tags.fields
                if !fields.isEmpty {
                    metadata.append(TimedMetadata(source: .vorbis, fields: fields, offset: start))
                }
                return true
            } catch {
                // A connection that ended before it gave a frame says nothing of the next one.
                guard reader.failure == nil, let next = reader.sessionBreak else { throw error }
                start = next
            }
        }
    }

    // MARK: Seeking

    /// Goes to a time that is held, at most to a little before the live end; returns the frame that comes next.
    func seekLive(toFrame frame: Int) throws(PlaybackFailure) -> Int {
        guard live.beginsAnywhere, let held = reader.source.heldRange,
            let edge = live.index.point(at: .infinity, heldFrom: held.lowerBound)
        else { return format.frames(inSeconds: live.seconds) }
        let wanted = min(format.seconds(ofFrames: frame), max(0, edge.seconds - Self.cushion))
        guard let point = live.index.point(at: wanted - Self.preroll, heldFrom: held.lowerBound) else {
            return format.frames(inSeconds: live.seconds)
        }
        reader.source.rewindMetadata(to: point.offset)
        live.seconds = point.seconds
        guard try restart(at: point.offset) else { return frame }
        return format.frames(inSeconds: point.seconds)
    }
}
