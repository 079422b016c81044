import CLinux
import Glibc

/// Signals as events of a loop, by signalfd. Create before the first thread starts.
package final class Signals {
    private let descriptor: FileDescriptor

    /// Blocks the signals in this thread (and those it starts) and delivers them on the loop.
    package init(_ numbers: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void)
        throws(SystemError)
    {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = FileDescriptor(
            owning: try System.check("signalfd") {
                unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
            })
        let fd = descriptor.raw
        _ = try loop.add(fd, .readable) { _ in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while unsafe read(fd, &information, size) == size { handler(Int32(information.ssi_signo)) }
        }
    }
}
