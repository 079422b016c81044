import Synchronization

/// A reading end of a `SampleRing`; belongs to one output thread.
///
/// `written` frames were given to the device, `heard` ones were played by it. Real-time: no locks, no memory.
package struct RingReader: ~Copyable, Sendable {
    package let ring: SampleRing
    package let slot: Int
    package private(set) var written: Int
    package private(set) var heard: Int
    private var marksSeen: Int

    /// Takes the reading end that the producer attached at `slot`; once, by the thread that will read.
    package init(ring: SampleRing, slot: Int) {
        self.ring = ring
        self.slot = slot
        let start = ring.readers[slot].heard.load(ordering: .acquiring)
        written = start
        heard = start
        marksSeen = ring.readers[slot].marksSeen.load(ordering: .acquiring)
    }

    /// The frame up to which all was thrown away by a seek; when it is beyond `heard`, drop the device's
    /// buffer and call `jumpToFlush`.
    package var mustFlush: Bool { ring.flushedTo.load(ordering: .sequentiallyConsistent) > heard }

    /// Frames ready to be written to the device, contiguous in the store.
    package func readable(atMost frames: Int) -> UnsafeBufferPointer<Float> {
        let available = min(ring.produced.load(ordering: .sequentiallyConsistent) - written, frames)
        let start = written & (ring.capacity - 1)
        let count = max(0, min(available, ring.capacity - start))
        let channels = ring.format.channels
        return unsafe UnsafeBufferPointer(start: ring.storage + start * channels, count: count * channels)
    }

    /// Frames produced and not yet written.
    package var available: Int { ring.produced.load(ordering: .sequentiallyConsistent) - written }

    /// True when the last frame of an ended ring was written.
    package var isWrittenOut: Bool { ring.endFrame.load(ordering: .sequentiallyConsistent) == written }

    /// True when the last frame of an ended ring was heard.
    package var isHeardOut: Bool { ring.endFrame.load(ordering: .sequentiallyConsistent) == heard }

    /// Notes frames given to the device.
    package mutating func wrote(frames: Int) { written += frames }

    /// Notes the frame that the device's clock has reached; it never goes back, nor beyond `written`.
    /// Frees the space and wakes the producer where it waits for that.
    package mutating func advanceHeard(to frame: Int) {
        let reached = min(max(heard, frame), written)
        if reached == heard { return }
        heard = reached
        publish()
    }

    /// Takes back what the device has not played: the next write begins at `heard`.
    package mutating func rewindToHeard() { written = heard }

    /// Goes to where the last seek's sound begins; marks before it are skipped.
    package mutating func jumpToFlush() {
        let frame = ring.flushedTo.load(ordering: .sequentiallyConsistent)
        guard frame > heard else { return }
        heard = frame
        written = frame
        while let mark = peekMark(), mark.frame < frame { takeMark() }
        publish()
    }

    /// The next mark, when its frame was heard; nil otherwise. Call until nil.
    package mutating func nextHeardMark() -> Mark? {
        guard let mark = peekMark(), mark.frame <= heard else { return nil }
        takeMark()
        return mark
    }

    /// Leaves the ring: its space no longer waits for this reader.
    package consuming func detach() {
        ring.readers[slot].active.store(false, ordering: .sequentiallyConsistent)
        ring.wakeProducer()
    }

    private func peekMark() -> Mark? {
        guard marksSeen < ring.markCount.load(ordering: .acquiring) else { return nil }
        return unsafe ring.marks[marksSeen & (SampleRing.markLimit - 1)]
    }

    private mutating func takeMark() {
        marksSeen += 1
        ring.readers[slot].marksSeen.store(marksSeen, ordering: .releasing)
    }

    private func publish() {
        ring.readers[slot].heard.store(heard, ordering: .sequentiallyConsistent)
        if heard >= ring.wakeProducerAt.load(ordering: .sequentiallyConsistent) {
            ring.wakeProducerAt.store(.max, ordering: .relaxed)
            ring.wakeProducer()
        }
    }
}
