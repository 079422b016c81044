import Base
import CLinux
import Glibc

/// The sockets that systemd hands over (sd_listen_fds(3)).
enum SocketActivation {
    private static let first: Int32 = 3

    /// The first listening Unix stream socket that was handed to this process; nil when there is none.
    ///
    /// The environment is cleared, so that no child takes it for its own.
    static func take() -> Int32? {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
        guard let pid = System.environment("LISTEN_PID"), pid == String(getpid()),
            let count = System.environment("LISTEN_FDS").flatMap({ Int32($0) }), count > 0, count <= 64
        else { return nil }
        for fd in first..<(first + count) where isListening(fd) {
            _ = jb_fcntl_int(fd, F_SETFD, FD_CLOEXEC)
            _ = jb_fcntl_int(fd, F_SETFL, jb_fcntl_int(fd, F_GETFL, 0) | O_NONBLOCK)
            return fd
        }
        return nil
    }

    private static func isListening(_ fd: Int32) -> Bool {
        option(fd, SO_DOMAIN) == AF_UNIX && option(fd, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
            && option(fd, SO_ACCEPTCONN) == 1
    }

    private static func option(_ fd: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
