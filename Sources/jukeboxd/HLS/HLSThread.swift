import Base
import Playlist

/// Loads streams of HLS on a thread of its own, several at a time; any thread may ask.
final class HLSThread: Sendable {
    /// What a stream begins with.
    struct Request: Sendable {
        let source: HLSSource
        let document: HLSDocument
        let door: HLSDoor
    }

    private struct State {
        var requests: [Request] = []
        var isStarted = false
    }

    private let state = Guarded(State())
    private let wake = WakePoint()

    /// Begins to load what a playlist describes; ended by closing the source. Throws when there is no thread.
    func open(_ document: HLSDocument, _ door: HLSDoor) throws(SystemError) -> HLSSource {
        let source = HLSSource(wake: wake)
        let mustStart = state.withLock { state in
            state.requests.append(Request(source: source, document: document, door: door))
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { try Thread.start(name: "jb-hls") { [self] in work() } }
        wake.signal()
        return source
    }

    private func work() -> Never {
        var streams: [HLSStream] = []
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        while true {
            let requests = state.withLock { state in
                defer { state.requests = [] }
                return state.requests
            }
            for request in requests { streams.append(HLSStream(request, wake: wake)) }
            var deadline: MonotonicTime?
            streams.removeAll { stream in
                guard let next = unsafe stream.advance(scratch) else { return true }
                deadline = min(deadline ?? next, next)
                return false
            }
            if let deadline { wake.wait(until: deadline) } else { wake.wait() }
        }
    }
}

/// A playlist of HLS that was read.
struct HLSDocument: Sendable {
    let bytes: [UInt8]
    /// Where it was found, which relative names in it belong to.
    let origin: PlaylistOrigin
    /// What people call it.
    let name: String
}
