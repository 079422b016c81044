import CLinux
import Glibc

/// An eventfd that wakes a thread which polls; signals before the wait are kept and merge into one.
package final class EventDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// Creates one. Throws when there are no descriptors left.
    package init() throws(SystemError) {
        descriptor = FileDescriptor(
            owning: try System.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// The number to poll: readable while a signal waits.
    package var raw: Int32 { descriptor.raw }

    /// Wakes the polling thread; any thread; never blocks.
    package func signal() { eventfd_write(descriptor.raw, 1) }

    /// Takes all signals so far; the polling thread only.
    package func clear() {
        var count: eventfd_t = 0
        unsafe eventfd_read(descriptor.raw, &count)
    }
}
