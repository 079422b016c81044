import Base

/// The rings of one playback, oldest first: the last one is written, those before it are still heard.
final class RingChain {
    /// A producer's end with identity.
    private final class Link {
        var producer: RingProducer
        init(_ ring: SampleRing) { producer = RingProducer(ring) }
        var isEnded: Bool { producer.ring.end != nil }
    }

    private let wake: WakePoint
    private var links: [Link] = []

    init(wake: WakePoint) { self.wake = wake }

    /// The ring that is written.
    var ring: SampleRing? { links.last?.producer.ring }

    // MARK: Rings

    /// Throws away what was there and begins anew with these slots.
    func start(_ format: AudioFormat, slots: UInt8) -> SampleRing {
        stop()
        let link = Link(SampleRing(format: format, frames: format.sampleRate, producerWake: wake))
        for slot in 0..<SampleRing.readerLimit where slots & 1 << slot != 0 {
            link.producer.attach(slot: slot)
        }
        links = [link]
        return link.producer.ring
    }

    /// Makes sure that frames of that format can be written; returns the ring that succeeds and the new one when
    /// a new one was needed.
    func goOn(in format: AudioFormat) -> (SampleRing, SampleRing)? {
        guard let last = links.last else { return nil }
        if last.producer.ring.format == format {
            if last.isEnded { last.producer.reopen() }
            return nil
        }
        let link = Link(SampleRing(format: format, frames: format.sampleRate, producerWake: wake))
        for slot in 0..<SampleRing.readerLimit where last.producer.isAttached(slot: slot) {
            link.producer.attach(slot: slot)
        }
        links.append(link)
        last.producer.end(successor: link.producer.ring)
        return (last.producer.ring, link.producer.ring)
    }

    /// Throws away all that was not heard.
    func flush() {
        for link in links { link.producer.flush() }
    }

    /// Says that nothing more will come, for all that is known.
    func end() {
        if let last = links.last, !last.isEnded { last.producer.end(successor: nil) }
    }

    /// Throws away everything; readers drain nothing.
    func stop() {
        flush()
        end()
        links = []
    }

    /// Forgets the rings before the last one that were heard to their ends.
    func dropHeard() {
        while links.count > 1, links[0].producer.heardByAll ?? .max >= links[0].producer.produced {
            links.removeFirst()
        }
    }

    /// Lets a reader into the ring that is heard, and those after it; nil when there is none.
    func attach(slot: Int) -> SampleRing? {
        dropHeard()
        guard (0..<SampleRing.readerLimit).contains(slot), let first = links.first else { return nil }
        for link in links where !link.producer.isAttached(slot: slot) {
            link.producer.attach(slot: slot, at: 0)
        }
        return first.producer.ring
    }

    // MARK: Frames of the last ring

    /// The next frame to be produced.
    var produced: Int { links.last?.producer.produced ?? 0 }

    /// True while anybody reads.
    var hasReaders: Bool { links.last?.producer.hasReaders ?? false }

    /// Frames in hand: produced and not heard by the slowest reader.
    var framesAhead: Int {
        guard let producer = links.last else { return 0 }
        return producer.producer.produced - (producer.producer.heardByAll ?? producer.producer.produced)
    }

    /// Frames that may be written now.
    var room: Int {
        guard let link = links.last else { return 0 }
        return link.producer.room(ahead: link.producer.ring.format.sampleRate)
    }

    /// The contiguous part of the room, at most `frames`.
    func contiguousRoom(atMost frames: Int) -> UnsafeMutableBufferPointer<Float> {
        guard let link = links.last else { return unsafe UnsafeMutableBufferPointer(start: nil, count: 0) }
        let format = link.producer.ring.format
        let room = unsafe link.producer.contiguousRoom(ahead: format.sampleRate)
        return unsafe UnsafeMutableBufferPointer(rebasing: room[..<min(room.count, frames * format.channels)])
    }

    /// Publishes frames written into the room.
    func commit(frames: Int) { links.last?.producer.commit(frames: frames) }

    /// Lets `body` change what no reader has taken yet, in order, with the frame and the ring of each piece.
    func retouch(_ body: (UnsafeMutableBufferPointer<Float>, Int, SampleRing) -> Void) {
        for link in links { unsafe link.producer.retouch { unsafe body($0, $1, link.producer.ring) } }
    }

    /// Places a mark at the next frame; false when there are too many unseen.
    func mark(_ mark: Mark) -> Bool {
        links.last?.producer.mark(mark.kind, id: mark.id, at: mark.frame) ?? true
    }

    /// Asks to be woken when no more than that many frames are in hand. Check `room` again before sleeping.
    func wake(whenAhead frames: Int) {
        guard let link = links.last else { return }
        link.producer.wakeWhenHeard(max(0, link.producer.produced - frames))
    }

    /// True when all readers of that ring have heard that frame.
    func isHeard(_ frame: Int, of ring: SampleRing) -> Bool {
        guard let link = links.first(where: { $0.producer.ring === ring }) else { return true }
        return link.producer.heardByAll ?? 0 >= frame
    }
}
