import Base

/// The reading end of a remote resource; closes it when it goes.
final class HTTPSource: ByteSource {
    private let resource: SharedResource
    // Safe because reads come from one thread only, the decode thread.
    private nonisolated(unsafe) let blocks = BlockReader()

    init(_ resource: SharedResource) { self.resource = resource }

    deinit { close() }

    var information: ContentInformation? { resource.withState { $0.information } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard buffer.count > 0 else { return .wait }
        let offset = max(0, offset)
        while true {
            let (outcome, block, mustAttend) = unsafe look(at: offset, into: buffer)
            guard let block else {
                if mustAttend { resource.attend() }
                return outcome
            }
            // Without the lock, since a disk may take its time.
            if let count = unsafe blocks.read(block, at: offset, into: buffer) {
                if resource.withState({ Self.note(count, at: offset, &$0) }) { resource.attend() }
                return .bytes(count)
            }
            resource.drop(block)
        }
    }

    /// Notes that bytes were read; true when the loader's thread can go on for the room that they left.
    private static func note(_ count: Int, at offset: Int64, _ state: inout SharedResource.State) -> Bool {
        state.position = offset + Int64(count)
        state.awaited = nil
        state.hasGivenBytes = true
        return state.canResume
    }

    /// Reads from memory, or finds the block that has the bytes; true when the loader's thread must attend.
    private func look(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
        -> (ReadOutcome, StoredBlock?, Bool)
    {
        var mustAttend = false
        var block: StoredBlock?
        let outcome = resource.withState { state -> ReadOutcome in
            if state.isClosed {
                return .failed(PlaybackFailure(.internal, "\(resource.url.masked) was closed."))
            }
            if !state.isValidating {
                let count = unsafe state.store.read(at: offset, into: state.upToSeam(buffer, at: offset))
                if count > 0 {
                    mustAttend = Self.note(count, at: offset, &state)
                    return .bytes(count)
                }
                block = state.store.block(at: offset)
                if block != nil { return .wait }
            }
            if let end = state.end, offset >= end {
                state.awaited = nil
                return .end
            }
            if state.information?.isLive == true, let oldest = state.store.ranges.first?.lowerBound,
                offset < oldest
            {
                return .gone(oldest: oldest)
            }
            if let failure = state.failure {
                mustAttend = !state.sawFailure
                state.sawFailure = true
                return .failed(failure)
            }
            mustAttend = state.awaited != offset
            state.position = offset
            state.awaited = offset
            return .wait
        }
        return (outcome, block, mustAttend)
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        resource.withState { $0.isValidating ? 0 : $0.store.available(from: offset) }
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] {
        resource.withState { state in
            let taken = state.metadata[state.takenMetadata...].prefix { $0.offset < offset }
            state.takenMetadata += taken.count
            return Array(taken)
        }
    }

    func rewindMetadata(to offset: Int64) {
        resource.withState { state in
            let first = state.metadata.firstIndex { $0.offset > offset } ?? state.metadata.count
            state.takenMetadata = max(0, first - 1)
        }
    }

    var heldRange: Range<Int64>? {
        resource.withState { state in
            guard state.information?.isLive == true, state.information?.isSeekable == true else { return nil }
            return state.store.ranges.last
        }
    }

    func seam(after offset: Int64) -> Int64? {
        resource.withState { state in state.seams.first { $0 > offset } }
    }

    func setWakePoint(_ point: WakePoint?) { resource.withState { $0.wakePoint = point } }

    func close() {
        let wasOpen = resource.withState { state in
            defer { state.isClosed = true }
            if !state.isClosed { state.store.close() }
            return !state.isClosed
        }
        guard wasOpen else { return }
        resource.update { _ in }
        resource.attend()
    }
}
