import Base
import Decode

/// A stream of HLS as the decode thread and the engine see it: its parts, one after another.
final class HLSSource: SegmentedSource {
    private struct State {
        var information: ContentInformation?
        /// Where pieces begin, in seconds; empty for a live stream.
        var starts: [Double] = []
        var duration: Double?
        var current: HLSPart?
        var following: [HLSPart] = []
        /// What is to be loaded instead of what is.
        var wanted: HLSPart?
        var isClosed = false
    }

    private let state: Guarded<State>
    /// Wakes the thread of streams.
    private let wake: WakePoint
    /// What is loaded first.
    let first: HLSPart

    init(wake: WakePoint) {
        self.wake = wake
        let first = HLSPart(index: 0, seconds: 0, writer: wake)
        self.first = first
        state = Guarded(State(following: [first]))
    }

    // MARK: The thread of streams

    /// Tells what it is. `starts`: of each piece, in seconds.
    func tell(_ information: ContentInformation, starts: [Double], duration: Double?) {
        state.withLock { state in
            state.information = information
            state.starts = starts
            state.duration = duration
        }
    }

    /// Lets a part follow those before it.
    func append(_ part: HLSPart) { state.withLock { $0.following.append(part) } }

    /// The part that is to be loaded instead, if there is one.
    func takeWanted() -> HLSPart? {
        state.withLock { state in
            defer { state.wanted = nil }
            return state.wanted
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The decode thread

    func part(at seconds: Double) -> SoundPart {
        let (known, index, start) = state.withLock { state in
            let index = max(0, (state.starts.firstIndex { $0 > seconds } ?? state.starts.count) - 1)
            let start = state.starts.indices.contains(index) ? state.starts[index] : 0
            return (state.current ?? state.following.first, index, start)
        }
        if let known, known.index == index, known.isHeldFromStart {
            state.withLock { state in
                if state.current == nil { state.following.removeFirst() }
                state.current = known
            }
            return SoundPart(known)
        }
        let part = HLSPart(index: index, seconds: start, writer: wake)
        state.withLock { state in
            state.wanted = part
            state.current = part
            state.following = []
        }
        wake.signal()
        return SoundPart(part)
    }

    func nextPart() -> SoundPart? {
        let next = state.withLock { state -> HLSPart? in
            guard !state.following.isEmpty else { return nil }
            state.current = state.following.removeFirst()
            return state.current
        }
        return next.map { SoundPart($0) }
    }

    // MARK: Any thread

    private var parts: [HLSPart] { state.withLock { ($0.current.map { [$0] } ?? []) + $0.following } }

    var information: ContentInformation? { state.withLock { $0.information } }
    var duration: Double? { state.withLock { $0.duration } }
    var secondsAhead: Double { parts.reduce(0) { $0 + $1.secondsAhead } }
    var isFull: Bool { parts.contains(where: \.isFull) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        unsafe parts.first?.read(at: offset, into: buffer) ?? .wait
    }

    func bytesAvailable(from offset: Int64) -> Int64 { parts.first?.bytesAvailable(from: offset) ?? 0 }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] { [] }

    func setWakePoint(_ point: WakePoint?) { for part in parts { part.setWakePoint(point) } }

    func close() {
        state.withLock { $0.isClosed = true }
        for part in parts { part.close() }
        wake.signal()
    }
}

extension SoundPart {
    fileprivate init(_ part: HLSPart) {
        self.init(source: part, seconds: part.seconds, isAfterGap: part.isAfterGap)
    }
}
