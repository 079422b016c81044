import Base
import CLinux
import Glibc

/// Signals as something to wait for, beside keys and sockets.
final class Wake {
    private let signals: FileDescriptor

    /// Catches what ends the program and what tells of another size; nil without descriptors.
    init?() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        signals = FileDescriptor(owning: descriptor)
        // Programs that were started end by themselves.
        _ = signal(SIGCHLD, SIG_IGN)
    }

    /// Waits for a key, a signal, one of the descriptors, or the deadline; says which descriptors are readable.
    func wait(for descriptors: [Int32], until deadline: MonotonicTime?) -> Set<Int32> {
        var entries = ([0, signals.raw] + descriptors).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var milliseconds: Int32 = -1
        if let deadline {
            milliseconds = Int32(clamping: max(0, (deadline - .now).nanoseconds) / 1_000_000 + 1)
        }
        guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
        return Set(entries.filter { $0.revents != 0 }.map(\.fd))
    }

    /// The signals that came since the last time.
    func takeSignals() -> [Int32] {
        var numbers: [Int32] = []
        var information = signalfd_siginfo()
        while unsafe read(signals.raw, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            numbers.append(Int32(bitPattern: information.ssi_signo))
        }
        return numbers
    }
}
