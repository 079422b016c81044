import Base
import Glibc

/// Signals as something to wait for, beside keys and sockets.
final class Wake {
    private let signals: SignalDescriptor

    /// Catches what ends the program and what tells of another size; nil without descriptors.
    init?() {
        do throws(SystemError) {
            signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
        } catch {
            return nil
        }
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
    func takeSignals() -> [Int32] { signals.take() }
}
