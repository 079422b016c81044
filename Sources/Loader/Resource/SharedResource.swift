import Base
import Synchronization

/// What its readers and the loader's thread share of one remote resource, behind one lock.
final class SharedResource: Sendable {
    struct State {
        var store: any RangeStore
        /// Those who read it, in the order in which they came; none once it is closed.
        var readers: [Reader] = []
        var information: ContentInformation?
        /// Set when nothing more will come; what is in the store can still be read.
        var failure: PlaybackFailure?
        /// The number of bytes, once it is certain.
        var end: Int64?
        /// Where the transfer will write next.
        var next: Int64 = 0
        /// Bytes that were read, by all readers.
        var readBytes: Int64 = 0
        /// In order; what was taken stays for a way back.
        var metadata: [TimedMetadata] = []
        /// Where the bytes of each connection after the first begin, in order.
        var seams: [Int64] = []
        /// True while the transfer is held back for want of room.
        var isHeldBack = false
        /// True when the loader's thread was asked to look and has not yet.
        var isAttentionDue = false
        /// What was found out about a name.
        var nameVerdict: NameCheck.Verdict?

        // MARK: The cache

        var lookup = Lookup.none
        /// True while what is here may be out of date: reads wait for the server's word.
        var isValidating = false
        /// True once a read brought bytes, or will from disk: from then on only this version may be played.
        var hasGivenBytes = false
        /// True when the loader's thread is done with it.
        var isReleased = false

        /// What the index is to tell of the version.
        var version: CachedVersion?

        var disk: DiskStore? { store as? DiskStore }

        /// Bytes that are loaded ahead of the readers at most; nil for as many as there is room for.
        var aheadLimit: Int64?

        /// True when a transfer that was held back has room again.
        var canResume: Bool {
            isHeldBack && store.room(at: next, reader: position) >= store.resumeRoom
                && aheadLimit.map { next - position <= $0 / 2 } ?? true
        }

        /// Adds metadata for the reader to take; the oldest goes first, so that a hostile stream costs no memory.
        mutating func add(_ metadata: TimedMetadata) {
            if self.metadata.count >= mostMetadata {
                self.metadata.removeFirst()
                for index in readers.indices {
                    readers[index].takenMetadata = max(0, readers[index].takenMetadata - 1)
                }
            }
            self.metadata.append(metadata)
        }

        /// The part of a buffer that a read may fill without going across a seam.
        func upToSeam(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
            -> UnsafeMutableRawBufferPointer
        {
            guard let seam = seams.first(where: { $0 > offset }), seam - offset < Int64(buffer.count) else {
                return unsafe buffer
            }
            return unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(seam - offset)])
        }

        /// Notes that another connection's bytes begin there.
        mutating func addSeam(at offset: Int64) {
            if seams.count >= mostMetadata { seams.removeFirst() }
            if seams.last != offset { seams.append(offset) }
        }
    }

    /// What came of looking into the cache.
    enum Lookup: Sendable {
        /// There is no cache, or nobody waits for it any more.
        case none
        case underWay
        case done(DiskCache.Lookup)
    }

    /// Titles of a live stream that are kept.
    private static let mostMetadata = 512

    let description: ResourceDescription
    let settings: LoaderSettings
    let door: LoaderThread
    private let state: Mutex<State>

    init(_ description: ResourceDescription, settings: LoaderSettings, door: LoaderThread) {
        self.description = description
        self.settings = settings
        self.door = door
        let store = MemoryWindow(limit: settings.windowBytes, retainedBytes: settings.retainedBytes)
        state = Mutex(State(store: store))
    }

    /// The URL that it is known by.
    var url: RemoteURL { description.url }
    /// Where bytes are kept; nil when they are not.
    var cache: DiskCache? { settings.cache }

    /// Runs `body` on the state; it must not call out.
    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in body(&state) }
    }

    /// Asks the loader's thread to look at it.
    func attend() { door.attend(self) }

    // MARK: The loader's thread

    /// Stores bytes of sound; false when there is no room for them yet.
    ///
    /// `write` does it under the lock and returns how many it wrote, at most `bytes`.
    func store(at offset: inout Int64, bytes: Int, _ write: (inout State) -> Int) -> Bool {
        let (isStored, points) = state.withLock { state -> (Bool, [WakePoint]) in
            let reader = state.position
            let isFarAhead = state.aheadLimit.map { offset - reader > $0 } ?? false
            guard !isFarAhead, state.store.room(at: offset, reader: reader) >= bytes else {
                state.isHeldBack = true
                return (false, [])
            }
            offset += Int64(write(&state))
            state.next = offset
            return (true, state.takeServed())
        }
        for point in points { point.signal() }
        sendChunks()
        return isStored
    }

    /// Changes the state and wakes the readers.
    func update(_ body: (inout State) -> Void) {
        let points = withState { state in
            body(&state)
            return state.readers.compactMap(\.wakePoint)
        }
        for point in points { point.signal() }
    }
}
