import CLinux
import Glibc

/// A place where one thread sleeps until others have something for it; a signal before the wait is kept.
@safe package final class WakePoint: Sendable {
    // Safe because pthread objects are used through their pointers only and live as long as this owner.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Safe as the mutex.
    private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Safe because it is read and written under `mutex` only.
    private nonisolated(unsafe) let pending = UnsafeMutablePointer<Bool>.allocate(capacity: 1)

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        unsafe pending.initialize(to: false)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
        unsafe pending.deallocate()
    }

    /// Wakes the waiting thread, or lets its next wait return at once; any thread.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        unsafe pending.pointee = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Sleeps until a signal; the owning thread only.
    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        while unsafe !pending.pointee { unsafe pthread_cond_wait(condition, mutex) }
        unsafe pending.pointee = false
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Sleeps until a signal or `deadline`; returns false when the deadline came first.
    @discardableResult
    package func wait(until deadline: MonotonicTime) -> Bool {
        var time = timespec()
        time.tv_sec = Int(deadline.nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(deadline.nanoseconds % 1_000_000_000)
        unsafe pthread_mutex_lock(mutex)
        var code: Int32 = 0
        while unsafe !pending.pointee, code == 0 {
            code = unsafe pthread_cond_timedwait(condition, mutex, &time)
        }
        let signalled = unsafe pending.pointee
        unsafe pending.pointee = false
        unsafe pthread_mutex_unlock(mutex)
        return signalled
    }
}
