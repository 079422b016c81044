/// Jobs for one named thread, run in order; the thread starts with the first job.
package final class JobQueue: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var delayed: [(time: MonotonicTime, job: Job)] = []
        var started = false
    }

    package typealias Starting =
        @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) -> Void

    private let name: String
    private let start: Starting
    private let state = Guarded(State())
    private let wake = WakePoint()

    /// Names the thread, at most 15 bytes. One in the background lets all others go before it.
    package convenience init(name: String, isBackground: Bool = false) {
        self.init(name: name) { name, body throws(SystemError) in
            try Thread.start(name: name) {
                if isBackground { Thread.beginBackground() }
                body()
            }
        }
    }

    /// Names the thread, and how it is started.
    package init(name: String, start: @escaping Starting) {
        self.name = name
        self.start = start
    }

    /// Adds a job; any thread. Throws when the thread cannot be started, and has not taken the job then.
    package func run(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        try add { $0.jobs.append(job) }
    }

    /// Adds a job for later, after those that are due before it; any thread. Throws as `run` does.
    package func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) throws(SystemError) {
        let time = MonotonicTime.now + delay
        try add { $0.delayed.append((time, job)) }
    }

    private func add(_ change: (inout State) -> Void) throws(SystemError) {
        try startOnce()
        state.withLock { change(&$0) }
        wake.signal()
    }

    private func startOnce() throws(SystemError) {
        let mustStart = state.withLock { state in
            defer { state.started = true }
            return !state.started
        }
        guard mustStart else { return }
        do throws(SystemError) {
            try start(name) { [self] in work() }
        } catch {
            // The next job tries again.
            state.withLock { $0.started = false }
            throw error
        }
    }

    private func work() -> Never {
        while true {
            let (jobs, next) = state.withLock { state in
                let now = MonotonicTime.now
                var jobs = state.jobs
                state.jobs = []
                let due = state.delayed.filter { $0.time <= now }.sorted { $0.time < $1.time }
                state.delayed.removeAll { $0.time <= now }
                jobs += due.map(\.job)
                return (jobs, state.delayed.map(\.time).min())
            }
            for job in jobs { job() }
            if !jobs.isEmpty { continue }
            if let next { wake.wait(until: next) } else { wake.wait() }
        }
    }
}
