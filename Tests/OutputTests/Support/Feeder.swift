import Base
import Synchronization

/// A decode thread for tests: keeps a ring full of frames that carry their number.
final class Feeder: Sendable {
    private struct State {
        var total: Int
        var seeks = 0
        var successor: SampleRing?
        var joins: [(slot: Int, done: WakePoint)] = []
        var finished = false
    }

    let ring: SampleRing
    private let state: Mutex<State>
    private let wake: WakePoint
    private let value: @Sendable (Int, Int) -> Float

    /// Produces `total` frames and then ends the ring. `value` gives a sample by frame and channel.
    init(
        _ format: AudioFormat, total: Int, slots: [Int] = [0], successor: SampleRing? = nil,
        value: @escaping @Sendable (Int, Int) -> Float = Feeder.fine
    ) throws {
        let wake = WakePoint()
        self.wake = wake
        self.value = value
        ring = SampleRing(format: format, frames: format.sampleRate, producerWake: wake)
        state = Mutex(State(total: total, successor: successor))
        let attached = WakePoint()
        try Thread.start(name: "feeder") { [self] in run(slots, attached) }
        attached.wait()
    }

    /// A ramp of 2^23 steps; exact in 32 bits.
    static let fine: @Sendable (Int, Int) -> Float = { frame, channel in
        let value = Float(frame & 0x7F_FFFF) / 8_388_608
        return channel == 0 ? value : -value
    }

    /// Throws away what was not heard and goes on with later frames.
    func seek() {
        state.withLock { $0.seeks += 1 }
        wake.signal()
    }

    /// Attaches a slot to the ring while it plays. Returns once that is so, as the engine hears of it: a reader that
    /// joins before would leave the slot to nobody.
    func attach(_ slot: Int) {
        let done = WakePoint()
        state.withLock { $0.joins.append((slot, done)) }
        wake.signal()
        done.wait(until: .now + .seconds(60))
    }

    /// Lets the thread end.
    func finish() {
        state.withLock { $0.finished = true }
        wake.signal()
    }

    private func run(_ slots: [Int], _ attached: WakePoint) {
        var producer = RingProducer(ring)
        for slot in slots { producer.attach(slot: slot) }
        attached.signal()
        var ended = false
        while true {
            let (now, seeks, joins) = state.withLock { state in
                defer {
                    state.seeks = 0
                    state.joins = []
                }
                return (state, state.seeks, state.joins)
            }
            if now.finished { return }
            for join in joins {
                producer.attach(slot: join.slot)
                join.done.signal()
            }
            for _ in 0..<seeks { producer.flush() }
            var made = true
            while made, producer.produced < now.total { made = produce(&producer, until: now.total) }
            if producer.produced >= now.total, !ended {
                producer.end(successor: now.successor)
                ended = true
            }
            producer.wakeWhenHeard(producer.produced - ring.format.sampleRate / 2)
            if producer.room(ahead: ring.format.sampleRate) > ring.format.sampleRate / 2, !ended { continue }
            wake.wait()
        }
    }

    private func produce(_ producer: inout RingProducer, until total: Int) -> Bool {
        let channels = ring.format.channels
        let room = unsafe producer.contiguousRoom(ahead: ring.format.sampleRate)
        let frames = min(room.count / channels, total - producer.produced, 8192)
        for frame in 0..<frames {
            for channel in 0..<channels {
                unsafe room[frame * channels + channel] = value(producer.produced + frame, channel)
            }
        }
        if frames > 0 { producer.commit(frames: frames) }
        return frames > 0
    }
}
