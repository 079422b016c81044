import Base

/// Pieces of a stream that go on where the one before ends, as bytes in one row: written by the thread of streams,
/// read by the decode thread.
final class HLSPart: ByteSource {
    /// Bytes ahead of the reader from which on no more are loaded.
    static let mostAhead = 4 << 20
    /// Bytes that are kept behind it, so that what was looked at can be read.
    private static let retained = 1 << 20

    private struct State {
        var bytes: [UInt8] = []
        /// The offset of the first of them.
        var base: Int64 = 0
        /// Where it is read.
        var reading: Int64 = 0
        var metadata: [TimedMetadata] = []
        /// Where pieces end, and how long they are.
        var pieces: [(end: Int64, seconds: Double)] = []
        var isWhole = false
        var failure: PlaybackFailure?
        var point: WakePoint?

        var end: Int64 { base + Int64(bytes.count) }
        var isFull: Bool { end - reading >= Int64(HLSPart.mostAhead) }
    }

    /// The index of its first piece in the whole.
    let index: Int
    let seconds: Double
    let isAfterGap: Bool
    /// To a decoder it is live in any case: it comes in order, and ends when it ends.
    let information: ContentInformation? = ContentInformation(isLive: true)
    private let state = Guarded(State())
    /// Wakes who writes.
    private let writer: WakePoint

    init(index: Int, seconds: Double, isAfterGap: Bool = false, writer: WakePoint) {
        self.index = index
        self.seconds = seconds
        self.isAfterGap = isAfterGap
        self.writer = writer
    }

    // MARK: Writing

    /// Adds sound, and tags whose offsets lie in it.
    func write(_ bytes: some Collection<UInt8> & Sendable, _ metadata: [TimedMetadata]) {
        let point = state.withLock { state in
            state.bytes += bytes
            state.metadata += metadata
            return state.point
        }
        point?.signal()
    }

    /// A piece of so many seconds ends here.
    func endPiece(seconds: Double) {
        state.withLock { $0.pieces.append(($0.end, seconds)) }
    }

    /// No more comes.
    func end(_ failure: PlaybackFailure? = nil) {
        let point = state.withLock { state in
            state.isWhole = true
            state.failure = state.failure ?? failure
            return state.point
        }
        point?.signal()
    }

    var isEmpty: Bool { state.withLock { $0.end == 0 } }
    var isFull: Bool { state.withLock { $0.isFull } }
    var hasEnded: Bool { state.withLock { $0.isWhole } }

    /// What was written and not read.
    var secondsAhead: Double {
        state.withLock { state in
            var start = state.base
            var sum = 0.0
            for piece in state.pieces {
                let left = piece.end - max(start, state.reading)
                if left > 0 { sum += piece.seconds * Double(left) / Double(max(1, piece.end - start)) }
                start = piece.end
            }
            return sum
        }
    }

    // MARK: Reading

    /// True while all of its bytes from the first one on are held, or are still to come.
    var isHeldFromStart: Bool { state.withLock { $0.base == 0 && $0.failure == nil } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        // Safe because the buffer is used within this call only.
        nonisolated(unsafe) let target = unsafe buffer
        let (isToGoOn, outcome) = state.withLock { state -> (Bool, ReadOutcome) in
            if offset < state.base { return (false, .gone(oldest: state.base)) }
            let first = Int(offset - state.base)
            guard first < state.bytes.count else {
                if let failure = state.failure { return (false, .failed(failure)) }
                return (false, state.isWhole ? .end : .wait)
            }
            let wasFull = state.isFull
            let part = state.bytes[first...].prefix(unsafe target.count)
            unsafe target.copyBytes(from: part)
            state.reading = offset + Int64(part.count)
            Self.trim(&state)
            return (wasFull && !state.isFull, .bytes(part.count))
        }
        if isToGoOn { writer.signal() }
        return outcome
    }

    private static func trim(_ state: inout State) {
        let beyond = Int(state.reading - state.base) - retained
        guard beyond >= retained / 2 else { return }
        state.bytes.removeFirst(beyond)
        state.base += Int64(beyond)
        while let piece = state.pieces.first, piece.end <= state.base { state.pieces.removeFirst() }
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        state.withLock { offset < $0.base ? 0 : max(0, $0.end - offset) }
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] {
        state.withLock { state in
            let count = state.metadata.prefix { $0.offset < offset }.count
            defer { state.metadata.removeFirst(count) }
            return Array(state.metadata.prefix(count))
        }
    }

    func setWakePoint(_ point: WakePoint?) { state.withLock { $0.point = point } }

    func close() { end(PlaybackFailure(.internal, "It was closed.")) }
}
