import Synchronization

/// The writing end of a `SampleRing`; belongs to the decode thread.
package struct RingProducer: ~Copyable {
    package let ring: SampleRing
    /// The next frame to be produced.
    package private(set) var produced = 0
    private var attachments = 0

    package init(_ ring: SampleRing) { self.ring = ring }

    // MARK: Readers

    /// Lets a reader in: it begins at `frame`, or at the oldest frame that is still there.
    /// The thread that owns the slot then makes its `RingReader`.
    package mutating func attach(slot: Int, at frame: Int = .max) {
        let oldest = max(ring.flushedTo.load(ordering: .relaxed), heardByAll ?? produced)
        let start = min(max(oldest, frame), produced)
        ring.readers[slot].heard.store(start, ordering: .relaxed)
        ring.readers[slot].claimed.store(start, ordering: .relaxed)
        ring.readers[slot].marksSeen.store(firstMark(notBefore: start), ordering: .relaxed)
        attachments += 1
        ring.readers[slot].attachment.store(attachments, ordering: .sequentiallyConsistent)
    }

    /// True when that slot reads this ring.
    package func isAttached(slot: Int) -> Bool {
        ring.heard(slot: slot) != nil
    }

    /// True while anybody reads; with no reader the producer must stop.
    package var hasReaders: Bool { heardByAll != nil }

    /// The lowest frame that all attached readers have heard; nil without readers.
    package var heardByAll: Int? { ring.heardByAll }

    // MARK: Frames

    /// Frames that may be written now without passing `ahead` frames in hand.
    package func room(ahead: Int) -> Int {
        guard let heard = heardByAll else { return 0 }
        return max(0, min(ahead, ring.capacity) - (produced - heard))
    }

    /// The contiguous free part of the store, at most `ahead` frames in hand; fill it from its start, then
    /// `commit`. Valid until then.
    package func contiguousRoom(ahead: Int) -> UnsafeMutableBufferPointer<Float> {
        let start = produced & (ring.capacity - 1)
        let frames = min(room(ahead: ahead), ring.capacity - start)
        let channels = ring.format.channels
        return unsafe UnsafeMutableBufferPointer(
            start: ring.storage + start * channels, count: frames * channels)
    }

    /// Publishes frames that were written into the room.
    package mutating func commit(frames: Int) {
        produced += frames
        ring.produced.store(produced, ordering: .sequentiallyConsistent)
        wakeReaders()
    }

    /// Lets `body` change the frames that no reader has taken, in order and in contiguous pieces, each with the frame
    /// that it begins at. Readers have a twentieth of a second to go on with meanwhile.
    package func retouch(_ body: (UnsafeMutableBufferPointer<Float>, Int) -> Void) {
        var frame = withhold()
        while frame < produced {
            let start = frame & (ring.capacity - 1)
            let count = min(produced - frame, ring.capacity - start)
            let channels = ring.format.channels
            unsafe body(.init(start: ring.storage + start * channels, count: count * channels), frame)
            frame += count
        }
        ring.withheldFrom.store(.max, ordering: .sequentiallyConsistent)
        wakeReaders(always: true)
    }

    /// Withholds what no reader has claimed, but for a little; returns where that begins.
    private func withhold() -> Int {
        let wished = (ring.claimed ?? produced) + ring.format.sampleRate / 20
        ring.withheldFrom.store(wished, ordering: .sequentiallyConsistent)
        return min(produced, max(wished, ring.claimed ?? produced))
    }

    /// Adds a mark at a frame not before the last mark's; false when 64 are still unseen.
    package mutating func mark(_ kind: Mark.Kind, id: Int, at frame: Int) -> Bool {
        let count = ring.markCount.load(ordering: .relaxed)
        for slot in 0..<SampleRing.readerLimit where isAttached(slot: slot) {
            let seen = ring.readers[slot].marksSeen.load(ordering: .acquiring)
            if count - seen >= SampleRing.markLimit { return false }
        }
        unsafe ring.marks[count & (SampleRing.markLimit - 1)] = Mark(frame: frame, kind: kind, id: id)
        ring.markCount.store(count + 1, ordering: .releasing)
        return true
    }

    /// Throws away all that was not heard: readers drop it and go on at the next frame produced.
    package mutating func flush() {
        ring.flushedTo.store(produced, ordering: .sequentiallyConsistent)
        wakeReaders(always: true)
    }

    /// Ends the ring at the frames produced so far; readers go on with `successor`, or drain and wait.
    package mutating func end(successor: SampleRing?) {
        ring.setSuccessor(successor)
        ring.endFrame.store(produced, ordering: .sequentiallyConsistent)
        wakeReaders()
    }

    /// Takes an end back: the ring goes on. Only before a successor was named.
    package mutating func reopen() {
        ring.endFrame.store(-1, ordering: .sequentiallyConsistent)
        wakeReaders()
    }

    /// Asks to be woken once every reader has heard `frame`. Check `room` again before sleeping.
    package func wakeWhenHeard(_ frame: Int) {
        ring.wakeProducerAt.store(frame, ordering: .sequentiallyConsistent)
    }

    private func wakeReaders(always: Bool = false) {
        for slot in 0..<SampleRing.readerLimit { ring.wakeReader(slot, always: always) }
    }

    private func firstMark(notBefore frame: Int) -> Int {
        let count = ring.markCount.load(ordering: .relaxed)
        var index = max(0, count - SampleRing.markLimit)
        while index < count, unsafe ring.marks[index & (SampleRing.markLimit - 1)].frame < frame {
            index += 1
        }
        return index
    }
}
