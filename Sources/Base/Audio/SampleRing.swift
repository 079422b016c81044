import Glibc
import Synchronization

/// A lock-free ring of interleaved float frames of one format: a single producer, up to four readers.
///
/// Frame indices are absolute, begin at 0 and never go back; only a reader's `written` goes back to what it
/// `heard`. Space is free once every active reader has heard it, so that a pause, a lost device and a volume
/// change can rewind to what was really heard. A seek is one index, `flushedTo`. When the format changes, the
/// producer ends this ring and names a `successor`.
///
/// What is in the ring can still be changed: the producer withholds the frames that no reader has claimed. A reader
/// claims before it looks what is withheld, the producer withholds before it looks what is claimed, so that one of
/// the two gives way.
@safe package final class SampleRing: Sendable {
    package static let readerLimit = 4
    package static let markLimit = 64

    /// What a reader publishes; written by the producer while inactive, by the reader while active.
    struct ReaderCursor: ~Copyable {
        /// The number of the attachment that is active; 0 for none. An older reader sees that it is not its own.
        let attachment = Atomic<Int>(0)
        let heard = Atomic<Int>(0)
        let marksSeen = Atomic<Int>(0)
        /// Where the frames end that the reader may be reading now, or has read.
        let claimed = Atomic<Int>(0)
        /// True while the reader sleeps until something is produced; taken by whoever wakes it.
        let hungry = Atomic<Bool>(false)
        let wake = Mutex<EventDescriptor?>(nil)
    }

    private static let count = Atomic<Int>(0)

    /// A number that no other ring of this process has.
    package let id: Int = SampleRing.count.add(1, ordering: .relaxed).newValue

    package let format: AudioFormat
    /// Frames that the store holds: a power of two.
    package let capacity: Int

    // Safe because the producer writes only frames that no reader may read yet, ordered by `produced`.
    nonisolated(unsafe) let storage: UnsafeMutablePointer<Float>
    // Safe because the producer writes only marks beyond `markCount` that every reader has seen.
    nonisolated(unsafe) let marks: UnsafeMutablePointer<Mark>
    let readers: InlineArray<4, ReaderCursor> = InlineArray { _ in ReaderCursor() }
    let produced = Atomic<Int>(0)
    let flushedTo = Atomic<Int>(0)
    let markCount = Atomic<Int>(0)
    /// Frames from here on are not to be read for a moment: the producer changes them.
    let withheldFrom = Atomic<Int>(Int.max)
    let wakeProducerAt = Atomic<Int>(Int.max)
    let endFrame = Atomic<Int>(-1)
    /// Marks that some reader has told as heard.
    let marksTold = Atomic<Int>(0)
    /// The end that some reader has told as heard; -1 before.
    private let endTold = Atomic<Int>(-1)
    private let next = Mutex<SampleRing?>(nil)
    private let producerWake: WakePoint

    /// Makes an empty ring. `frames` is rounded up to a power of two; `producerWake` is signalled when the
    /// frame that the producer waits for was heard.
    package init(format: AudioFormat, frames: Int, producerWake: WakePoint) {
        var size = 1024
        while size < frames { size *= 2 }
        self.format = format
        capacity = size
        self.producerWake = producerWake
        unsafe storage = .allocate(capacity: size * format.channels)
        unsafe marks = .allocate(capacity: SampleRing.markLimit)
    }

    deinit {
        unsafe storage.deallocate()
        unsafe marks.deallocate()
    }

    /// The ring that follows after `endFrame`, in another format; nil while there is none.
    package var successor: SampleRing? { next.withLock { $0 } }

    /// True when this is that ring or comes after it by `successor`. Any thread.
    package func follows(_ other: SampleRing) -> Bool {
        var ring: SampleRing? = other
        while let current = ring {
            if current === self { return true }
            ring = current.successor
        }
        return false
    }

    /// Frames produced so far; any thread.
    package var producedFrames: Int { produced.load(ordering: .acquiring) }

    /// The frame at which this ring ends; nil while it goes on. Any thread.
    package var end: Int? {
        let frame = endFrame.load(ordering: .acquiring)
        return frame < 0 ? nil : frame
    }

    /// True once for each end of the ring: the caller is the one to tell that it was heard. Any thread.
    package func takeEndTelling() -> Bool {
        let frame = endFrame.load(ordering: .acquiring)
        return frame >= 0 && endTold.exchange(frame, ordering: .sequentiallyConsistent) != frame
    }

    /// The frame that the reader at `slot` has heard; nil when none is attached. Any thread.
    package func heard(slot: Int) -> Int? {
        guard readers[slot].attachment.load(ordering: .sequentiallyConsistent) != 0 else { return nil }
        return readers[slot].heard.load(ordering: .acquiring)
    }

    /// Detaches a reader that holds the others up; it finds out by `RingReader.isAttached`. Any thread.
    package func eject(slot: Int) {
        readers[slot].attachment.store(0, ordering: .sequentiallyConsistent)
        wakeProducer()
    }

    /// The lowest frame that all attached readers have heard; nil without readers.
    var heardByAll: Int? {
        var lowest: Int?
        for slot in 0..<SampleRing.readerLimit
        where readers[slot].attachment.load(ordering: .sequentiallyConsistent) != 0 {
            let heard = readers[slot].heard.load(ordering: .sequentiallyConsistent)
            if let least = lowest, least <= heard { continue }
            lowest = heard
        }
        return lowest
    }

    /// Where the frames end that attached readers may be reading or have read; nil without readers.
    var claimed: Int? {
        var last: Int?
        for slot in 0..<SampleRing.readerLimit
        where readers[slot].attachment.load(ordering: .sequentiallyConsistent) != 0 {
            last = max(last ?? 0, readers[slot].claimed.load(ordering: .sequentiallyConsistent))
        }
        return last
    }

    /// Wakes the reader at `slot` if it sleeps for want of frames, or in any case when `always`.
    func wakeReader(_ slot: Int, always: Bool = false) {
        guard readers[slot].attachment.load(ordering: .sequentiallyConsistent) != 0 else { return }
        let isHungry = readers[slot].hungry.exchange(false, ordering: .sequentiallyConsistent)
        if isHungry || always { readers[slot].wake.withLock { $0?.signal() } }
    }

    func setSuccessor(_ ring: SampleRing?) { next.withLock { $0 = ring } }

    func wakeProducer() { producerWake.signal() }
}
