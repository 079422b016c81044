import CLinux
import Glibc

/// Signals as something to wait for, by signalfd(2).
package final class SignalDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// Blocks the signals in this thread (and those it starts): they are told here instead.
    package init(_ numbers: [Int32]) throws(SystemError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = FileDescriptor(
            owning: try System.check("signalfd") {
                unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
            })
    }

    /// The descriptor, which is readable when there are signals to take.
    package var raw: Int32 { descriptor.raw }

    /// The signals that came since the last time.
    package func take() -> [Int32] {
        var numbers: [Int32] = []
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while unsafe read(raw, &information, size) == size {
            numbers.append(Int32(bitPattern: information.ssi_signo))
        }
        return numbers
    }
}
