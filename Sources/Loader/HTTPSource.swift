import Base

/// The reading end of a remote resource, one of several maybe; leaves it when it goes.
final class HTTPSource: ByteSource {
    private let home: Reader.Home
    // Safe because reads come from one thread only, the decode thread.
    private nonisolated(unsafe) let blocks = BlockReader()

    init(_ home: Reader.Home) { self.home = home }

    deinit { close() }

    /// Runs `body` on the resource's state and this reader's part of it; nil once it is closed.
    private func withReader<Result: Sendable>(
        _ body: (SharedResource, inout SharedResource.State, inout Reader) -> Result
    ) -> Result? {
        var tried: SharedResource?
        while let resource = home.current, resource !== tried {
            let result = resource.withReader(home) { body(resource, &$0, &$1) }
            if let result { return result }
            // It may have been given another resource meanwhile.
            tried = resource
        }
        return nil
    }

    private func withState<Result: Sendable>(_ body: (inout SharedResource.State) -> Result) -> Result? {
        home.current?.withState(body)
    }

    var information: ContentInformation? { withState { $0.information } ?? nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard buffer.count > 0 else { return .wait }
        let offset = max(0, offset)
        while true {
            let look = withReader { resource, state, reader in
                unsafe Look(resource, at: offset, into: buffer, &state, &reader)
            }
            guard let look else { return .failed(closed) }
            guard let block = look.block else {
                if look.mustAttend { look.resource.attend() }
                return look.outcome
            }
            if let outcome = unsafe read(block, of: look.resource, at: offset, into: buffer) {
                return outcome
            }
        }
    }

    /// Reads from disk, without the lock; nil when the block was found to be no good.
    private func read(
        _ block: StoredBlock, of resource: SharedResource, at offset: Int64,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ReadOutcome? {
        guard let queue = resource.cache?.blocks else { return nil }
        let outcome = unsafe blocks.read(block, at: offset, into: buffer, from: queue) { [home] in
            home.current?.wake(home)
        }
        switch outcome {
        case .bytes(let count):
            let canResume = withReader { Look.note(count, at: offset, &$1, &$2) }
            if canResume == true { resource.attend() }
            return .bytes(count)
        case .damaged:
            resource.drop(block)
            return nil
        case .pending:
            // The loader's thread has an eye on how long that takes.
            if withReader({ $2.waitForDisk() }) == true { resource.attend() }
            return .wait
        }
    }

    private var closed: PlaybackFailure {
        PlaybackFailure(.internal, "\(home.current?.url.masked ?? "What is read") was closed.")
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        withState { $0.isValidating ? 0 : $0.store.available(from: offset) } ?? 0
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] {
        withReader { _, state, reader in
            let taken = state.metadata[reader.takenMetadata...].prefix { $0.offset < offset }
            reader.takenMetadata += taken.count
            return Array(taken)
        } ?? []
    }

    func rewindMetadata(to offset: Int64) {
        _ = withReader { _, state, reader in
            let first = state.metadata.firstIndex { $0.offset > offset } ?? state.metadata.count
            reader.takenMetadata = max(0, first - 1)
        }
    }

    var heldRange: Range<Int64>? {
        withState { state in
            guard state.information?.isLive == true, state.information?.isSeekable == true else { return nil }
            return state.store.ranges.last
        } ?? nil
    }

    func seam(after offset: Int64) -> Int64? {
        withState { state in state.seams.first { $0 > offset } } ?? nil
    }

    func setWakePoint(_ point: WakePoint?) { _ = withReader { $2.wakePoint = point } }

    func close() { home.current?.leave(home) }
}

/// What a read came upon: bytes in memory, which it took, a block on disk, or neither.
private struct Look: Sendable {
    let resource: SharedResource
    private(set) var outcome = ReadOutcome.wait
    /// Has the bytes, on disk.
    private(set) var block: StoredBlock?
    /// True when the loader's thread must look after the resource.
    private(set) var mustAttend = false

    /// Looks under the resource's lock.
    init(
        _ resource: SharedResource, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer,
        _ state: inout SharedResource.State, _ reader: inout Reader
    ) {
        self.resource = resource
        if !state.isValidating {
            let count = unsafe state.store.read(at: offset, into: state.upToSeam(buffer, at: offset))
            if count > 0 {
                mustAttend = Self.note(count, at: offset, &state, &reader)
                outcome = .bytes(count)
                return
            }
            block = state.store.block(at: offset)
            if block != nil {
                // As good as given: the version must not become another one while the disk is read.
                state.hasGivenBytes = true
                return
            }
        }
        if let end = state.end, offset >= end {
            reader.goOn()
            outcome = .end
        } else if let oldest = state.oldest, offset < oldest {
            outcome = .gone(oldest: oldest)
        } else if let failure = state.failure {
            mustAttend = !reader.sawFailure
            reader.sawFailure = true
            outcome = .failed(failure)
        } else {
            mustAttend = reader.wait(for: offset)
        }
    }

    /// Notes that bytes were read; true when the loader's thread can go on for the room that they left.
    static func note(
        _ count: Int, at offset: Int64, _ state: inout SharedResource.State, _ reader: inout Reader
    ) -> Bool {
        reader.position = offset + Int64(count)
        reader.goOn()
        state.readBytes += Int64(count)
        state.hasGivenBytes = true
        return state.canResume
    }
}

extension SharedResource.State {
    /// The oldest byte that a live stream still has; nil for what is none.
    fileprivate var oldest: Int64? {
        information?.isLive == true ? store.ranges.first?.lowerBound : nil
    }
}
