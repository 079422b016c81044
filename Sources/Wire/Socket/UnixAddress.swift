package import Base
import CLinux
import Glibc

/// The address of a Unix stream socket and the calls that take one.
package struct UnixAddress: Equatable, Sendable {
    /// A path of at most 107 bytes without NUL (unix(7)).
    package let path: String

    /// Checks the path. Throws ENAMETOOLONG or EINVAL.
    package init(_ path: String) throws(SystemError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SystemError(code: EINVAL, operation: "socket path", context: path)
        }
        guard path.utf8.count < UnixAddress.capacity else {
            throw SystemError(code: ENAMETOOLONG, operation: "socket path", context: path)
        }
        self.path = path
    }

    private static let capacity = 108

    /// Creates a stream socket with O_CLOEXEC; non-blocking if asked.
    package static func makeSocket(nonBlocking: Bool) throws(SystemError) -> FileDescriptor {
        let flags =
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            | (nonBlocking ? Int32(SOCK_NONBLOCK.rawValue) : 0)
        return FileDescriptor(owning: try System.check("socket") { socket(AF_UNIX, flags, 0) })
    }

    /// Connects a socket. Throws what connect(2) says; EAGAIN when the owner's backlog is full.
    package func connect(_ fd: Int32) throws(SystemError) {
        try System.check("connect", path) { unsafe withAddress { unsafe Glibc.connect(fd, $0, $1) } }
    }

    /// Binds a socket, which makes its file with the process's umask.
    package func bind(_ fd: Int32) throws(SystemError) {
        try System.check("bind", path) { unsafe withAddress { unsafe Glibc.bind(fd, $0, $1) } }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // Safe because init checked that the path and its NUL fit, and sockaddr_un was zeroed.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
