import Synchronization

/// A reading end of a `SampleRing`; belongs to one output thread.
///
/// `written` frames were given to the device, `heard` ones were played by it. Real-time: no locks, no memory,
/// but for `init` and `detach`.
package struct RingReader: ~Copyable, Sendable {
    package let ring: SampleRing
    package let slot: Int
    /// The next frame to give to the device.
    package private(set) var written: Int
    /// The next frame to be heard.
    package private(set) var heard: Int
    private var marksSeen: Int
    private let attachment: Int

    /// Takes the reading end that the producer attached at `slot`; once, by the thread that will read.
    /// `wake` is signalled when a hungry reader gets frames, an end or a successor, and at each flush.
    package init(ring: SampleRing, slot: Int, wake: EventDescriptor? = nil) {
        self.ring = ring
        self.slot = slot
        attachment = ring.readers[slot].attachment.load(ordering: .sequentiallyConsistent)
        let start = ring.readers[slot].heard.load(ordering: .acquiring)
        written = start
        heard = start
        marksSeen = ring.readers[slot].marksSeen.load(ordering: .acquiring)
        ring.readers[slot].wake.withLock { $0 = wake }
    }

    /// False once this reader was detached, by itself or because it held up the others: then read no more.
    package var isAttached: Bool {
        attachment != 0
            && ring.readers[slot].attachment.load(ordering: .sequentiallyConsistent) == attachment
    }

    // MARK: Frames

    /// The frame up to which all was thrown away by a seek lies beyond `heard`: drop the device's buffer and
    /// call `jumpToFlush`.
    package var mustFlush: Bool { ring.flushedTo.load(ordering: .sequentiallyConsistent) > heard }

    /// Frames ready to be written to the device, contiguous in the store; none while the producer changes them.
    @_noLocks @_noAllocation
    package func readable(atMost frames: Int) -> UnsafeBufferPointer<Float> {
        let available = min(ring.produced.load(ordering: .sequentiallyConsistent) &- written, frames)
        let start = written & (ring.capacity &- 1)
        let count = claim(frames: max(0, min(available, ring.capacity &- start)))
        let channels = ring.format.channels
        return unsafe UnsafeBufferPointer(start: ring.storage + start &* channels, count: count &* channels)
    }

    /// Claims the next frames, as many as are not withheld, and returns how many.
    @_noLocks @_noAllocation
    private func claim(frames: Int) -> Int {
        ring.readers[slot].claimed.store(written &+ frames, ordering: .sequentiallyConsistent)
        let given = min(frames, ring.withheldFrom.load(ordering: .sequentiallyConsistent) &- written)
        if given == frames { return frames }
        ring.readers[slot].claimed.store(written &+ max(0, given), ordering: .sequentiallyConsistent)
        return max(0, given)
    }

    /// Frames produced and not yet written.
    package var available: Int { ring.produced.load(ordering: .sequentiallyConsistent) - written }

    /// True when the last frame of an ended ring was written.
    package var isWrittenOut: Bool { ring.endFrame.load(ordering: .sequentiallyConsistent) == written }

    /// True when the last frame of an ended ring was heard.
    package var isHeardOut: Bool { ring.endFrame.load(ordering: .sequentiallyConsistent) == heard }

    /// Notes frames given to the device.
    @_noLocks @_noAllocation
    package mutating func wrote(frames: Int) { written &+= frames }

    /// Notes the frame that the device's clock has reached; it never goes back, nor beyond `written`.
    /// Frees the space and wakes the producer where it waits for that.
    package mutating func advanceHeard(to frame: Int) {
        let reached = min(max(heard, frame), written)
        if reached == heard { return }
        heard = reached
        publish()
    }

    /// Takes back the last frames given to the device.
    package mutating func takeBack(frames: Int) { written = max(heard, written - max(0, frames)) }

    /// Takes back what the device has not played: the next write begins at `heard`.
    package mutating func rewindToHeard() { written = heard }

    /// Goes to where the last seek's sound begins; marks before it are skipped.
    package mutating func jumpToFlush() {
        let frame = ring.flushedTo.load(ordering: .sequentiallyConsistent)
        guard frame > heard else { return }
        skip(to: frame)
    }

    /// Goes on at a later frame without having played what lies before it; marks before it are skipped.
    package mutating func skip(to frame: Int) {
        guard frame > heard, frame <= ring.produced.load(ordering: .sequentiallyConsistent) else { return }
        heard = frame
        written = frame
        while let mark = peekMark(), mark.frame < frame { takeMark() }
        publish()
    }

    /// Asks for a signal at the next frames, end or successor. Look once more before sleeping.
    package func becomeHungry() {
        ring.readers[slot].hungry.store(true, ordering: .sequentiallyConsistent)
    }

    // MARK: Marks

    /// The next mark that was heard and that nobody has told yet; nil when there is none. Call until nil.
    /// With `telling` false, heard marks are passed over silently: another reader tells them.
    package mutating func nextHeardMark(telling: Bool = true) -> Mark? {
        while let mark = peekMark(), mark.frame <= heard {
            let index = marksSeen
            takeMark()
            if telling, index >= ring.marksTold.load(ordering: .acquiring) {
                ring.marksTold.store(index + 1, ordering: .releasing)
                return mark
            }
        }
        return nil
    }

    /// The frame of the next mark, heard or not; nil when none is known.
    package var nextMarkFrame: Int? { peekMark()?.frame }

    /// Goes back to the first mark that nobody has told; for a reader that tells from now on.
    package mutating func returnToUntoldMarks() {
        let oldest = ring.markCount.load(ordering: .acquiring) - SampleRing.markLimit / 2
        marksSeen = min(marksSeen, max(0, oldest, ring.marksTold.load(ordering: .acquiring)))
    }

    // MARK: Leaving

    /// Leaves the ring: its space no longer waits for this reader.
    package mutating func detach() {
        let (mine, _) = ring.readers[slot].attachment.compareExchange(
            expected: attachment, desired: 0, ordering: .sequentiallyConsistent)
        if mine { ring.wakeProducer() }
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
        guard isAttached else { return }
        ring.readers[slot].heard.store(heard, ordering: .sequentiallyConsistent)
        let wanted = ring.wakeProducerAt.load(ordering: .sequentiallyConsistent)
        guard wanted != .max, let heard = ring.heardByAll, heard >= wanted else { return }
        ring.wakeProducerAt.store(.max, ordering: .relaxed)
        ring.wakeProducer()
    }
}
