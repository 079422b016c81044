import Base
import Synchronization

@testable import Decode

/// A decode thread, what it tells, and an output that hears as fast as it can.
final class Listening: Sendable {
    /// Sound in one format, as heard.
    struct Segment {
        let format: AudioFormat
        var samples: [Float] = []
        var frames: Int { samples.count / format.channels }
    }

    /// A mark as heard: what it means and how many frames of the segment came before it.
    struct HeardMark: Equatable {
        let segment: Int
        let frame: Int
        let meaning: MarkMeaning
    }

    private let events = Mutex<[DecodeEvent]>([])
    private let wake = WakePoint()
    let thread: DecodeThread

    init() {
        // The closure must not keep this object, which it is made for.
        let box = Mutex<Listening?>(nil)
        let shared = Box(box)
        thread = DecodeThread { event in
            shared.value.withLock { listening in
                listening?.events.withLock { $0.append(event) }
                listening?.wake.signal()
            }
        }
        shared.value.withLock { $0 = self }
    }

    private final class Box: Sendable {
        let value: Mutex<Listening?>
        init(_ value: consuming Mutex<Listening?>) { self.value = value }
    }

    /// What was announced: it need not come to its end.
    private let announced = Mutex<Set<Int>>([])

    func post(_ command: DecodeCommand) {
        if case .announce(let item, _) = command { _ = announced.withLock { $0.insert(item.token) } }
        try? thread.post(command)
    }

    func open(_ token: Int, _ source: FakeSource, at seconds: Double = 0) {
        post(.open(DecodeItem(token: token, source: source, startSeconds: seconds, name: "item \(token)")))
    }

    func next(_ token: Int, _ source: FakeSource) {
        post(.next(DecodeItem(token: token, source: source, name: "item \(token)")))
    }

    /// All that was told so far.
    var told: [DecodeEvent] { events.withLock { $0 } }

    /// Waits until an event matches; nil after ten seconds.
    func wait<T>(_ match: (DecodeEvent) -> T?) -> T? {
        let deadline = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < deadline {
            if let found = told.lazy.compactMap(match).first { return found }
            wake.wait(until: deadline)
        }
        return nil
    }

    func ring() -> SampleRing? {
        wait { if case .ring(let ring) = $0 { ring } else { nil } }
    }

    /// The last first ring.
    var lastRing: SampleRing? {
        told.reversed().lazy.compactMap { if case .ring(let ring) = $0 { ring } else { nil } }.first
    }

    // MARK: An output

    /// Hears the rings from this one on until `isDone`, at most ten seconds.
    struct Output: ~Copyable {
        private let listening: Listening
        private var reader: RingReader?
        private(set) var segments: [Segment]
        private(set) var marks: [HeardMark] = []

        init(_ listening: Listening, _ ring: SampleRing, slot: Int = 0) {
            self.listening = listening
            reader = RingReader(ring: ring, slot: slot)
            segments = [Segment(format: ring.format)]
        }

        var frames: Int { segments.reduce(0) { $0 + $1.frames } }

        /// Hears until that many frames were heard, or until the end when it is nil.
        mutating func hear(until limit: Int? = nil, period: Int = 2205) {
            let deadline = MonotonicTime.now + .seconds(10)
            while MonotonicTime.now < deadline, frames < limit ?? .max {
                guard var current = reader.take() else { return }
                let isEnded = current.isHeardOut
                let heard = hearSome(&current, min(period, (limit ?? .max) - frames))
                if isEnded, heard == 0 {
                    if let next = current.ring.successor {
                        let slot = current.slot
                        current.detach()
                        reader = RingReader(ring: next, slot: slot)
                        segments.append(Segment(format: next.format))
                        continue
                    }
                    reader = consume current
                    if limit == nil, listening.isAtEnd { return }
                } else {
                    reader = consume current
                }
                if heard == 0 { listening.wake.wait(until: MonotonicTime.now + .milliseconds(5)) }
            }
        }

        private mutating func hearSome(_ current: inout RingReader, _ frames: Int) -> Int {
            if current.mustFlush { current.jumpToFlush() }
            let samples = unsafe current.readable(atMost: frames)
            let before = segments[segments.count - 1].frames - current.heard
            let count = samples.count / current.ring.format.channels
            unsafe segments[segments.count - 1].samples += samples
            current.wrote(frames: count)
            current.advanceHeard(to: current.heard + count)
            while let mark = current.nextHeardMark() {
                guard let meaning = listening.meaning(of: mark.id) else { continue }
                marks.append(
                    HeardMark(segment: segments.count - 1, frame: mark.frame + before, meaning: meaning))
            }
            return count
        }
    }

    fileprivate func meaning(of id: Int) -> MarkMeaning? {
        told.lazy.compactMap { if case .mark(id, let meaning) = $0 { meaning } else { nil } }.first
    }

    /// True when as many items came to their end or failed as were opened.
    fileprivate var isAtEnd: Bool {
        var open: Set<Int> = []
        for event in told {
            switch event {
            case .opened(let token, _): open.insert(token)
            case .decodedToEnd(let token), .failed(let token, _): open.remove(token)
            case .mark(_, .position(let token, _)): open.insert(token)
            default: break
            }
        }
        return announced.withLock { open.isSubset(of: $0) }
    }
}
