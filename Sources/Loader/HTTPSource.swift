import Base

/// The reading end of a remote resource; closes it when it goes.
final class HTTPSource: ByteSource {
    private let resource: SharedResource
    private let thread: LoaderThread

    init(_ resource: SharedResource, _ thread: LoaderThread) {
        self.resource = resource
        self.thread = thread
    }

    deinit { close() }

    var information: ContentInformation? { resource.withState { $0.information } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard buffer.count > 0 else { return .wait }
        let offset = max(0, offset)
        let resumeRoom = resource.resumeRoom
        var mustAttend = false
        let outcome = resource.withState { state -> ReadOutcome in
            if state.isClosed {
                return .failed(PlaybackFailure(.internal, "\(resource.url.masked) was closed."))
            }
            let count = unsafe state.store.read(at: offset, into: buffer)
            if count > 0 {
                state.position = offset + Int64(count)
                state.awaited = nil
                mustAttend =
                    state.isHeldBack && state.store.room(at: state.next, reader: state.position) >= resumeRoom
                return .bytes(count)
            }
            if let end = state.end, offset >= end {
                state.awaited = nil
                return .end
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
        if mustAttend { thread.attend(resource) }
        return outcome
    }

    func bytesAvailable(from offset: Int64) -> Int64 {
        resource.withState { $0.store.available(from: offset) }
    }

    func takeMetadata(upTo offset: Int64) -> [TimedMetadata] {
        resource.withState { state in
            let taken = state.metadata.prefix { $0.offset < offset }
            state.metadata.removeFirst(taken.count)
            return Array(taken)
        }
    }

    func setWakePoint(_ point: WakePoint?) { resource.withState { $0.wakePoint = point } }

    func close() {
        let wasOpen = resource.withState { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        resource.update { _ in }
        thread.attend(resource)
    }
}
