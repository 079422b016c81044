import Synchronization

/// Jobs for one named thread, run in order; the thread starts with the first job.
package final class JobQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var started = false
    }

    private let name: String
    private let state = Mutex(State())
    private let wake = WakePoint()

    /// Names the thread, at most 15 bytes.
    package init(name: String) { self.name = name }

    /// Adds a job; any thread. Throws when the thread cannot be started.
    package func run(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.started = true }
            return !state.started
        }
        if mustStart { try Thread.start(name: name) { [self] in work() } }
        wake.signal()
    }

    private func work() -> Never {
        while true {
            wake.wait()
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { job() }
        }
    }
}
