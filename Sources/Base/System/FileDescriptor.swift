import CLinux
import Glibc

/// The owner of an open file descriptor; closes it when it goes.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for calls; valid while this owner lives.
    package let raw: Int32

    /// Takes ownership of an open descriptor.
    package init(owning raw: Int32) { self.raw = raw }

    deinit { _ = close(raw) }

    /// Gives the descriptor away; the caller closes it.
    package consuming func release() -> Int32 {
        let number = raw
        discard self
        return number
    }
}
