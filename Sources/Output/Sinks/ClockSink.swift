import Base
import CLinux

/// A device made of the monotonic clock: plays to nothing, or onto a tape what is heard as it is heard.
///
/// Untimed, it takes frames as fast as they come.
final class ClockSink: Sink {
    let isUntimed: Bool
    var allowsFades: Bool { !isUntimed && tape?.allowsFades ?? false }
    /// A pause leaves a recording whole; at a seek there is nothing to be kept.
    var fadesCuts: Bool { tape != nil && !isUntimed }
    private let tape: (any Tape)?
    private var format = SinkFormat(
        audio: AudioFormat(sampleRate: 44_100, channels: 2), encoding: .float, bufferFrames: 0,
        periodFrames: 0)
    private var queue = ByteQueue(capacity: 0)
    private var written = 0
    private var played = 0
    private var startedAt: MonotonicTime?

    /// Plays to nothing where there is no tape.
    init(timed: Bool, tape: (any Tape)? = nil) {
        isUntimed = !timed
        self.tape = tape
    }

    /// Begins the tape, before there is anything to play. Throws when it cannot be written to.
    func begin() throws(SinkFailure) { try tape?.begin() }

    func open(for source: AudioFormat) throws(SinkFailure) -> SinkFormat {
        let audio = try tape?.format(for: source) ?? source
        // To nothing there is nothing to write: ten times a second is enough to free the ring.
        let isSilent = tape == nil && !isUntimed
        let period = max(1, audio.sampleRate / (isSilent ? 10 : 20))
        format = SinkFormat(
            audio: audio, encoding: tape?.encoding ?? .nothing, bufferFrames: (isSilent ? 3 : 4) * period,
            periodFrames: period)
        if tape != nil, !isUntimed { queue = ByteQueue(capacity: format.bufferFrames * format.frameBytes) }
        reset()
        return format
    }

    func status() throws(SinkFailure) -> (room: Int, unheard: Int) {
        if isUntimed { return (format.bufferFrames, 0) }
        try play(until: .now)
        if startedAt != nil, played == written, due(at: .now) > written { throw .underrun }
        return (format.bufferFrames - (written - played), written - played)
    }

    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(SinkFailure) -> Int {
        if isUntimed {
            unsafe try tape?.append(UnsafeRawBufferPointer(rebasing: bytes[..<(frames * format.frameBytes)]))
            return frames
        }
        let accepted = min(frames, format.bufferFrames - (written - played))
        if tape != nil { unsafe queue.append(bytes, count: accepted * format.frameBytes) }
        written += accepted
        return accepted
    }

    func start() throws(SinkFailure) {
        try tape?.start()
        if !isUntimed { startedAt = .now }
    }

    func halt() throws(SinkFailure) -> Int? {
        if isUntimed {
            tape?.rest()
            return 0
        }
        try play(until: .now)
        let dropped = written - played
        reset()
        tape?.rest()
        return dropped
    }

    func close() {
        reset()
        tape?.close()
    }

    func leave() { tape?.leave() }

    func fillPoll(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Int { 0 }

    /// By at most 5 ms at once; what is played is never taken back, nor more due than was written.
    func delayClock(byFrames frames: Int) -> Bool {
        guard let startedAt else { return true }
        let limit = max(1, format.audio.sampleRate / 200)
        let shift = max(-limit, min(limit, frames))
        let seconds = Double(shift) / Double(max(1, format.audio.sampleRate))
        self.startedAt = startedAt + .seconds(clamping: seconds)
        return true
    }

    var canRewind: Bool { !isUntimed }

    func rewind(frames: Int) -> Int {
        guard (try? play(until: .now)) != nil else { return 0 }
        let taken = max(0, min(frames, written - played))
        queue.removeLast(taken * format.frameBytes)
        written -= taken
        return taken
    }

    var trouble: String? { tape?.trouble }

    func polled(_ entries: UnsafeMutableBufferPointer<pollfd>) {}

    var description: String {
        let clock = isUntimed ? ", as fast as it can be" : ""
        return (tape?.description ?? "null") + clock
            + ": \(format.audio.sampleRate) Hz, \(format.audio.channels) channels"
    }

    private func reset() {
        queue.removeAll()
        written = 0
        played = 0
        startedAt = nil
    }

    private func due(at now: MonotonicTime) -> Int {
        guard let startedAt else { return 0 }
        return Int((now - startedAt).inSeconds * Double(format.audio.sampleRate))
    }

    /// Lets the clock play what is due; that much goes into the file.
    private func play(until now: MonotonicTime) throws(SinkFailure) {
        let frames = min(due(at: now), written) - played
        guard frames > 0 else { return }
        played += frames
        guard let tape else { return }
        var rest = frames * format.frameBytes
        while rest > 0 {
            let part = unsafe queue.front(atMost: rest)
            try unsafe tape.append(part)
            queue.removeFirst(part.count)
            rest -= part.count
        }
        // Its crystal differs from ours by less than this, which nobody hears.
        if tape.isBehind { _ = delayClock(byFrames: max(1, frames / 1000)) }
    }
}
