import Base
import CCurl
import Synchronization

/// The door to the loader's thread, which starts with the first remote resource; any thread.
final class LoaderThread: Sendable {
    @safe private struct State {
        var due: [SharedResource] = []
        var isStarted = false
        var mustStop = false
        var hasWoken = false
        var hasEnded = false
        // Safe because it is set and cleared under the lock, and lives in between.
        nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())
    private let end = WakePoint()
    /// Runs the programs that tell tokens and links.
    let commands = CommandBoard()
    /// Bytes that came in over the network in all, heads included.
    let received = Atomic<Int64>(0)
    /// Bytes a second that all that nobody reads may take together; 0 for any number.
    let backgroundRate = Atomic<Int64>(0)

    /// Asks the thread to look at a resource: a new one, one whose reader waits, one that was closed.
    func attend(_ resource: SharedResource) {
        let isNew = resource.withState { resource in
            defer { resource.isAttentionDue = true }
            return !resource.isAttentionDue
        }
        guard isNew else { return }
        let mustStart = state.withLock { state in
            guard !state.mustStop else { return false }
            state.due.append(resource)
            unsafe wake(state.multi)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { start() }
    }

    /// Sets the rate of what nobody reads; what is under way keeps to it from then on.
    func setBackgroundRate(_ rate: Int64) {
        backgroundRate.store(rate, ordering: .relaxed)
        state.withLock { unsafe wake($0.multi) }
    }

    /// Tells the thread that the machine was asleep.
    func wokeUp() {
        state.withLock { state in
            state.hasWoken = true
            unsafe wake(state.multi)
        }
    }

    /// Ends the thread and all its transfers, for good.
    func stop() {
        state.withLock { state in
            state.mustStop = true
            unsafe wake(state.multi)
        }
    }

    /// Waits until the thread has ended all transfers, if it ever began.
    func waitForEnd(until deadline: MonotonicTime) {
        while state.withLock({ $0.isStarted && !$0.hasEnded }), end.wait(until: deadline) {}
    }

    private func wake(_ multi: UnsafeMutableRawPointer?) {
        if let multi = unsafe multi { unsafe jb_curl_multi_wakeup(multi) }
    }

    private func start() {
        do throws(SystemError) {
            try Thread.start(name: "jb-loader") { [self] in
                if let loop = TransferLoop(self) {
                    loop.run()
                    state.withLock { $0.hasEnded = true }
                    end.signal()
                } else {
                    failAll("libcurl cannot be initialised")
                }
            }
        } catch {
            failAll(error.description)
        }
    }

    private func failAll(_ reason: String) {
        Log.error("loader", reason)
        let due = state.withLock { state in
            state.isStarted = false
            defer { state.due = [] }
            return state.due
        }
        for resource in due {
            let failure = PlaybackFailure(.internal, "\(resource.url.masked) cannot be loaded: \(reason).")
            resource.update {
                $0.isAttentionDue = false
                $0.failure = failure
            }
            resource.tell(.failed(failure))
        }
    }

    // MARK: The loader's thread

    /// Names the handle that wakes the thread; nil before it goes.
    func setMulti(_ multi: UnsafeMutableRawPointer?) {
        // Safe because the pointer is only handed to curl_multi_wakeup, which any thread may call.
        nonisolated(unsafe) let multi = unsafe multi
        state.withLock { unsafe $0.multi = unsafe multi }
    }

    /// The resources to look at; nil when the thread is to end.
    func takeDue() -> [SharedResource]? {
        state.withLock { state in
            guard !state.mustStop else { return nil }
            defer { state.due = [] }
            return state.due
        }
    }

    /// True once after the machine woke up.
    func takeWakeUp() -> Bool {
        state.withLock { state in
            defer { state.hasWoken = false }
            return state.hasWoken
        }
    }
}
