import Base
import Player

/// What is to be read as a playlist.
struct ListRequest: Sendable {
    let token: Int
    let item: PlayableItem
    /// Opened; whoever reads it closes it.
    let source: any ByteSource
    /// True when bytes of it were here already: that they are gone says nothing of the list.
    var isTried = false
}

/// Reads and parses playlists on a thread of its own, several at a time; any thread may ask.
final class ListThread: Sendable {
    private struct State {
        var requests: [ListRequest] = []
        var isStarted = false
    }

    private let state = Guarded(State())
    private let wake = WakePoint()
    private let journal: Journal
    private let openFolder: @Sendable (PlayableItem) -> any ByteSource
    private let tell: @Sendable (Int, ListOutcome) -> Void

    /// `openFolder` opens a folder below one that is read, and `tell` hears each outcome; on the lists' thread.
    init(
        journal: Journal, openFolder: @escaping @Sendable (PlayableItem) -> any ByteSource,
        tell: @escaping @Sendable (Int, ListOutcome) -> Void
    ) {
        self.journal = journal
        self.openFolder = openFolder
        self.tell = tell
    }

    /// Begins to read; ended by closing the source. Throws when there is no thread to be had.
    func read(_ request: ListRequest) throws(SystemError) {
        let mustStart = state.withLock { state in
            state.requests.append(request)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { try Thread.start(name: "jb-lists") { [self] in work() } }
        wake.signal()
    }

    private func work() -> Never {
        let around = ListReading.Surroundings(journal: journal, wake: wake, openFolder: openFolder)
        var readings: [ListReading] = []
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        while true {
            for request in takeRequests() { readings.append(ListReading(request, around)) }
            readings.removeAll { reading in
                guard let outcome = unsafe reading.read(scratch) else { return false }
                reading.end()
                tell(reading.token, outcome)
                return true
            }
            if let deadline = readings.map(\.deadline).min() {
                wake.wait(until: deadline)
            } else {
                wake.wait()
            }
        }
    }

    private func takeRequests() -> [ListRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }
}
