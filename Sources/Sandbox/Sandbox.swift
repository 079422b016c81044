package import Base
import CLinux
import CSeccomp
import Glibc

/// What a program that reads bytes of others gives up before it does: files, network, processes. For ever.
package enum Sandbox {
    /// Calls that are left: the descriptors that are open, time, and the end.
    private static let allowed = [
        "read", "write", "readv", "writev", "pread64", "recvmsg", "sendmsg", "recvfrom", "sendto", "poll",
        "ppoll",
        "close", "lseek", "fstat", "brk", "munmap", "mremap", "madvise", "futex", "clock_gettime",
        "clock_nanosleep",
        "nanosleep", "gettimeofday", "restart_syscall", "getrandom", "sched_yield", "getpid", "gettid",
        "rt_sigreturn",
        "rt_sigprocmask", "rt_sigaction", "sigaltstack", "exit", "exit_group",
    ]

    /// Gives everything up but open descriptors, memory below a limit, time and exit; call it once, at the start.
    /// Everything else is refused (EPERM). Throws when the system cannot do that.
    package static func enter(memoryBytes: Int) throws(SystemError) {
        try limit(__rlimit_resource_t(RLIMIT_AS.rawValue), to: memoryBytes)
        try limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
        try System.check("prctl") { jb_renounce() }
        try filter()
    }

    private static func limit(_ resource: __rlimit_resource_t, to value: Int) throws(SystemError) {
        var limits = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        try System.check("setrlimit") { unsafe setrlimit(resource, &limits) }
    }

    private static func filter() throws(SystemError) {
        guard let filter = unsafe jb_filter() else {
            throw SystemError(code: ENOMEM, operation: "seccomp_init")
        }
        defer { unsafe seccomp_release(filter) }
        for name in allowed {
            try check(unsafe jb_filter_allow(filter, name), name)
        }
        for (name, argument) in [("mmap", UInt32(2)), ("mprotect", 2)] {
            try check(unsafe jb_filter_allow_data(filter, name, argument), name)
        }
        try check(unsafe seccomp_load(filter), "load")
    }

    /// libseccomp returns a negative errno.
    private static func check(_ code: Int32, _ context: String) throws(SystemError) {
        if code < 0 { throw SystemError(code: -code, operation: "seccomp", context: context) }
    }
}
