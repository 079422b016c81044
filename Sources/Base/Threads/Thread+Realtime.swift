import Glibc

extension Thread {
    /// Above all ordinary threads, below a kernel's interrupt threads (50; sched(7)) and the usual sound servers.
    private static let realtimePriority: Int32 = 40
    /// SCHED_RESET_ON_FORK (sched(7)): no program that is started inherits it.
    private static let resetOnFork: Int32 = 0x4000_0000

    /// Asks that the calling thread go before all that is not real-time (SCHED_FIFO).
    ///
    /// False where the process may not ask for that (RLIMIT_RTPRIO), and then all is as before. Only for a thread
    /// that sleeps by a device's clock: one that never slept would have a core for itself.
    @discardableResult package static func beginRealtime() -> Bool {
        var parameters = sched_param(sched_priority: realtimePriority)
        // 0: the calling thread.
        return unsafe sched_setscheduler(0, SCHED_FIFO | resetOnFork, &parameters) == 0
    }
}
