import Base
import Store

/// Reads the documents of sources on a thread of its own, a few at a time; any thread may ask.
final class DocumentThread: Sendable {
    private struct State {
        var requests: [(request: DocumentRequest, tell: @Sendable (DocumentOutcome) -> Void)] = []
        var isStarted = false
    }

    private let state = Guarded(State())
    private let wake = WakePoint()
    private let openFolder: @Sendable (CatalogueSource, String) -> any ByteSource

    /// `openFolder` opens a folder below one on a WebDAV server.
    init(openFolder: @escaping @Sendable (CatalogueSource, String) -> any ByteSource) {
        self.openFolder = openFolder
    }

    /// Begins to read; `tell` hears the outcome on the documents' thread. Throws when there is no thread to be had.
    func read(_ request: DocumentRequest, tell: @escaping @Sendable (DocumentOutcome) -> Void)
        throws(SystemError)
    {
        let mustStart = state.withLock { state in
            state.requests.append((request, tell))
            defer { state.isStarted = true }
            return !state.isStarted
        }
        // A parser of somebody else's XML is given room.
        if mustStart { try Thread.start(name: "jb-feeds", stackBytes: 2 << 20) { [self] in work() } }
        wake.signal()
    }

    private func work() -> Never {
        var readings: [(reading: DocumentReading, tell: @Sendable (DocumentOutcome) -> Void)] = []
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        while true {
            for (request, tell) in takeRequests() {
                readings.append((DocumentReading(request, wake: wake, openFolder: openFolder), tell))
            }
            readings.removeAll { reading, tell in
                guard let outcome = unsafe reading.read(scratch) else { return false }
                reading.close()
                tell(outcome)
                return true
            }
            if let deadline = readings.map(\.reading.deadline).min() {
                wake.wait(until: deadline)
            } else {
                wake.wait()
            }
        }
    }

    private func takeRequests() -> [(request: DocumentRequest, tell: @Sendable (DocumentOutcome) -> Void)] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }
}
