import Base
import Synchronization

/// One of those who read a resource, as the resource knows it; part of its state.
struct Reader: Sendable {
    /// Where the reader finds its resource.
    let home: Home
    let events: @Sendable (SourceEvent) -> Void
    let purpose: LoadPurpose
    /// Where it stands: the offset after the last bytes it read, or the one it waits for.
    var position: Int64 = 0
    /// The offset of a read that said `wait`, and when that was.
    private(set) var awaited: Int64?
    private(set) var awaitedSince = MonotonicTime.now
    /// Since when a block is read for it that the disk does not give; nil when none is.
    private(set) var diskSince: MonotonicTime?
    /// True when a read came upon the resource's failure.
    var sawFailure = false
    var isFailureTold = false
    /// True once it was told what others had been told before it came.
    var isGreeted = false
    /// Metadata of the resource that it took.
    var takenMetadata = 0
    var wakePoint: WakePoint?

    init(_ home: Home, purpose: LoadPurpose = .reading, events: @escaping @Sendable (SourceEvent) -> Void) {
        self.home = home
        self.purpose = purpose
        self.events = events
    }

    /// Notes that a read must wait; false when it did so already.
    mutating func wait(for offset: Int64) -> Bool {
        position = offset
        guard awaited != offset else { return false }
        awaited = offset
        awaitedSince = .now
        return true
    }

    /// Notes that a read must wait for the disk; false when it did so already.
    mutating func waitForDisk() -> Bool {
        guard diskSince == nil else { return false }
        diskSince = .now
        return true
    }

    /// Notes that what it waited for is here.
    mutating func stopWaiting() { awaited = nil }

    /// Notes that a read had an outcome.
    mutating func goOn() {
        awaited = nil
        diskSince = nil
    }

    /// The one resource that a reader reads, which may become another before the first byte.
    final class Home: Sendable {
        private let resource = Mutex<SharedResource?>(nil)

        /// Nil only until the reader has joined its first.
        var current: SharedResource? { resource.withLock { $0 } }

        func move(to other: SharedResource) { resource.withLock { $0 = other } }
    }
}
