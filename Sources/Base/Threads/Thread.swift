import CLinux
import Glibc

/// Named POSIX threads with all signals blocked.
package enum Thread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a detached thread. `name`: at most 15 bytes (pthread_setname_np(3)). Throws EAGAIN when the
    /// system has no more threads.
    package static func start(
        name: String, stackBytes: Int = 512 * 1024, _ body: @escaping @Sendable () -> Void
    )
        throws(SystemError)
    {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Safe because the new thread takes the one retain that is passed here.
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe pthread_setname_np(pthread_self(), start.name)
                start.body()
                return nil
            }, unsafe start.toOpaque())
        if code != 0 {
            unsafe start.release()
            throw SystemError(code: code, operation: "pthread_create", context: name)
        }
    }
}
