import Base
import Synchronization

/// Bytes in odd pieces, with waits between them and an end that can be a failure.
final class FakeSource: ByteSource {
    struct Manner: Sendable {
        /// The longest piece of a read; pieces vary from 1 to this.
        var piece = Int.max
        /// After how many reads one says `wait`; it signals at once that it is worth asking again.
        var waitEvery = 0
        /// Bytes that come before all reads beyond wait until `allow`.
        var allowed = Int64.max
        var isLocal = true
        var isSeekable = true
        var isLive = false
        var hasLength = true
        /// Bytes that are promised and never come.
        var missing = 0
        /// True when hardly a byte is here before it is read.
        var isSparse = false
        /// What is told at the end instead of it.
        var failure: PlaybackFailure?
        var metadata: [TimedMetadata] = []
        /// Where other connections of a live stream begin.
        var seams: [Int64] = []
        /// The oldest byte that a live stream still has.
        var oldest: Int64 = 0
    }

    private struct State {
        var manner: Manner
        var reads = 0
        var total: Int64 = 0
        var wake: WakePoint?
        var takenMetadata = 0
    }

    private let data: [UInt8]
    private let state: Mutex<State>
    let information: ContentInformation?

    init(_ data: [UInt8], _ manner: Manner = Manner()) {
        self.data = data
        state = Mutex(State(manner: manner))
        information = ContentInformation(
            length: manner.hasLength ? Int64(data.count + manner.missing) : nil,
            isSeekable: manner.isSeekable,
            isLive: manner.isLive, isLocal: manner.isLocal)
    }

    /// Lets more bytes come.
    func allow(_ bytes: Int64) {
        let wake = state.withLock { state in
            state.manner.allowed = bytes
            return state.wake
        }
        wake?.signal()
    }

    /// Forgets what lies before an offset.
    func forget(before offset: Int64) { state.withLock { $0.manner.oldest = offset } }

    /// Bytes read in all.
    var bytesRead: Int64 { state.withLock { $0.total } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        state.withLock { state in
            state.reads += 1
            if offset < state.manner.oldest { return .gone(oldest: state.manner.oldest) }
            if offset >= data.count { return state.manner.failure.map { .failed($0) } ?? .end }
            if state.manner.waitEvery > 0, state.reads % state.manner.waitEvery == 0 {
                state.wake?.signal()
                return .wait
            }
            if offset >= state.manner.allowed { return .wait }
            let piece = state.manner.piece == .max ? .max : 1 + state.reads * 7919 % state.manner.piece
            let here = Int(clamping: state.manner.allowed - offset)
            let seam = state.manner.seams.first { $0 > offset }.map { Int($0 - offset) } ?? .max
            let count = min(buffer.count, data.count - Int(offset), piece, here, seam)
            unsafe buffer.copyBytes(from: data[Int(offset)..<Int(offset) + count])
            state.total += Int64(count)
            return .bytes(count)
        }
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        state.withLock { state in
            let here = max(0, min(Int64(data.count), state.manner.allowed) - offset)
            return state.manner.isSparse ? min(here, 4096) : here
        }
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] {
        state.withLock { state in
            let taken = state.manner.metadata[state.takenMetadata...].prefix { $0.offset < offset }
            state.takenMetadata += taken.count
            return Array(taken)
        }
    }

    func rewindMetadata(to offset: Int64) {
        state.withLock { state in
            let first = state.manner.metadata.firstIndex { $0.offset > offset } ?? state.manner.metadata.count
            state.takenMetadata = max(0, first - 1)
        }
    }

    var heldRange: Range<Int64>? {
        state.withLock { state in
            guard state.manner.isLive, state.manner.isSeekable else { return nil }
            let end = min(Int64(data.count), state.manner.allowed)
            return min(end, state.manner.oldest)..<end
        }
    }

    func seam(after offset: Int64) -> Int64? {
        state.withLock { state in state.manner.seams.first { $0 > offset } }
    }

    func setWakePoint(_ point: WakePoint?) { state.withLock { $0.wake = point } }

    func close() {}
}
