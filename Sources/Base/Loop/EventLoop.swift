import CLinux
import Glibc

/// A single-threaded epoll loop with timers and an end-of-turn phase.
///
/// Confined to the thread that calls `run()`; not Sendable, so that the compiler keeps it there.
/// Other threads reach it through a `Mailbox` only.
package final class EventLoop {
    /// What a descriptor is waited for; EPOLLHUP and EPOLLERR are always told.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Waits for bytes, for room, for both or for neither.
        package init(reading: Bool, writing: Bool) {
            rawValue = (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
        }
        /// True when there is something to read.
        package var isReadable: Bool { rawValue & EPOLLIN.rawValue != 0 }
        /// True when the other end has gone, or the descriptor is broken.
        package var isHungUp: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
        package static let readable = Interest(rawValue: EPOLLIN.rawValue)
        package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
        package static let hangUp = Interest(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    /// Identifies a watched descriptor; a stale one is ignored.
    package struct Registration: Hashable, Sendable {
        let fd: Int32
        let generation: UInt32
    }

    private struct Watch {
        let generation: UInt32
        let handler: (Interest) -> Void
    }

    private let epoll: FileDescriptor
    /// By descriptor, which the system keeps small.
    private var watches: [Watch?] = []
    private var generation: UInt32 = 0
    private var timers = TimerQueue()
    private var turnEnds: [() -> Void] = []
    private var running = false
    private var thread: pthread_t?

    /// Creates a loop. Throws when epoll is not to be had.
    package init() throws(SystemError) {
        epoll = FileDescriptor(
            owning: try System.check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    }

    // MARK: Descriptors

    /// Watches a descriptor, level-triggered; the caller keeps owning it and removes it before closing.
    package func add(_ fd: Int32, _ interest: Interest, handler: @escaping (Interest) -> Void)
        throws(SystemError) -> Registration
    {
        generation &+= 1
        let registration = Registration(fd: fd, generation: generation)
        try control(EPOLL_CTL_ADD, registration, interest)
        while watches.count <= Int(fd) { watches.append(nil) }
        watches[Int(fd)] = Watch(generation: generation, handler: handler)
        return registration
    }

    /// Changes what a descriptor is waited for.
    package func modify(_ registration: Registration, _ interest: Interest) throws(SystemError) {
        guard watch(registration.fd)?.generation == registration.generation else { return }
        try control(EPOLL_CTL_MOD, registration, interest)
    }

    /// Stops watching; events already fetched in this turn are dropped.
    package func remove(_ registration: Registration) {
        guard watch(registration.fd)?.generation == registration.generation else { return }
        watches[Int(registration.fd)] = nil
        _ = try? control(EPOLL_CTL_DEL, registration, [])
    }

    private func watch(_ fd: Int32) -> Watch? {
        Int(fd) < watches.count ? watches[Int(fd)] : nil
    }

    private func control(_ operation: Int32, _ registration: Registration, _ interest: Interest)
        throws(SystemError)
    {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue
        unsafe event.data.u64 =
            UInt64(registration.generation) << 32 | UInt64(UInt32(bitPattern: registration.fd))
        try System.check("epoll_ctl") { unsafe epoll_ctl(epoll.raw, operation, registration.fd, &event) }
    }

    // MARK: Timers and turns

    /// Runs `body` once at or soon after `time`.
    @discardableResult
    package func schedule(at time: MonotonicTime, _ body: @escaping () -> Void) -> TimerQueue.Token {
        timers.add(time, body)
    }

    /// Runs `body` once after `delay`.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerQueue.Token {
        timers.add(MonotonicTime.now + delay, body)
    }

    /// Cancels a timer; one that ran or was cancelled is ignored.
    package func cancel(_ timer: TimerQueue.Token) { timers.cancel(timer) }

    /// Adds work for the end of every turn, after all handlers have run.
    package func atEndOfTurn(_ body: @escaping () -> Void) { turnEnds.append(body) }

    /// Runs until `stop()`; the calling thread becomes the loop's.
    package func run() {
        thread = pthread_self()
        running = true
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            while running { unsafe turn(events) }
        }
    }

    /// Ends `run()` after this turn.
    package func stop() { running = false }

    /// Traps when called from another thread than the loop's, once it runs.
    package func assertOnLoop() {
        if let thread { precondition(pthread_equal(thread, pthread_self()) != 0, "not on the loop's thread") }
    }

    private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) {
        // Without timers nobody asks for the time.
        let timeout = timers.isEmpty ? -1 : timers.millisecondsToNext(from: .now)
        let count = unsafe epoll_wait(epoll.raw, events.baseAddress, Int32(events.count), timeout)
        if count > 0 {
            for index in 0..<Int(count) { unsafe dispatch(events[index]) }
        } else if count < 0, errno != EINTR {
            preconditionFailure("epoll_wait: \(SystemError.reason(of: errno))")
        }
        if !timers.isEmpty { for body in timers.takeDue(at: .now) { body() } }
        for body in turnEnds { body() }
    }

    private func dispatch(_ event: epoll_event) {
        let data = unsafe event.data.u64
        let fd = Int32(bitPattern: UInt32(truncatingIfNeeded: data))
        guard let watch = watch(fd), watch.generation == UInt32(truncatingIfNeeded: data >> 32) else {
            return
        }
        unsafe watch.handler(Interest(rawValue: event.events))
    }
}
