import Glibc
import Synchronization

/// A lock-free ring of interleaved float frames of one format: a single producer, up to four readers.
///
/// Frame indices are absolute, begin at 0 and never go back; only a reader's `written` goes back to what it
/// `heard`. Space is free once every active reader has heard it, so that a pause, a lost device and a volume
/// change can rewind to what was really heard. A seek is one index, `flushedTo`. When the format changes, the
/// producer ends this ring and names a `successor`.
@safe package final class SampleRing: Sendable {
    package static let readerLimit = 4
    package static let markLimit = 64

    /// What a reader publishes; written by the producer while inactive, by the reader while active.
    struct ReaderCursor: ~Copyable {
        let active = Atomic<Bool>(false)
        let heard = Atomic<Int>(0)
        let marksSeen = Atomic<Int>(0)
    }

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
    let wakeProducerAt = Atomic<Int>(Int.max)
    let endFrame = Atomic<Int>(-1)
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

    /// Frames produced so far; any thread.
    package var producedFrames: Int { produced.load(ordering: .acquiring) }

    /// The frame at which this ring ends; nil while it goes on. Any thread.
    package var end: Int? {
        let frame = endFrame.load(ordering: .acquiring)
        return frame < 0 ? nil : frame
    }

    func setSuccessor(_ ring: SampleRing?) { next.withLock { $0 = ring } }

    func wakeProducer() { producerWake.signal() }
}
