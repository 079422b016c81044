import Base
import CLinux
import Glibc
import Wire

/// The socket that clients connect to: made here and removed at the end, or handed over by systemd.
final class ListeningSocket {
    private let socket: FileDescriptor
    private let made: Made?
    /// Held as long as the daemon listens; the file stays, since removing it could rob the next one.
    private let lock: FileDescriptor?

    /// The file that was made for it and goes with it.
    private struct Made {
        let path: String
        let device: dev_t
        let inode: ino_t
    }

    var descriptor: Int32 { socket.raw }

    /// Takes systemd's socket if one was handed over, else binds one of its own.
    init(_ location: SocketLocation, groupID: gid_t?) throws(ListenError) {
        if let handedOver = SocketActivation.take() {
            socket = FileDescriptor(owning: handedOver)
            made = nil
            lock = nil
            return
        }
        do throws(SystemError) {
            // Files and folders get their final mode as they are made, whatever umask the daemon came with.
            let umaskBefore = umask(0o077)
            defer { umask(umaskBefore) }
            try location.prepareFolder()
            let address = try UnixAddress(location.path)
            lock = try ListeningSocket.lock(location.path)
            try ListeningSocket.clear(address)
            socket = try UnixAddress.makeSocket(nonBlocking: true)
            umask(0o177)
            try address.bind(socket.raw)
            made = try ListeningSocket.open(location.path, groupID)
            try System.check("listen", location.path) { [fd = socket.raw] in listen(fd, SOMAXCONN) }
        } catch {
            throw ListeningSocket.explain(error, location.path)
        }
    }

    /// Removes the socket file if it is still the one that was made.
    func remove() {
        guard let made, let status = try? ListeningSocket.status(made.path) else { return }
        if status.st_dev == made.device, status.st_ino == made.inode { unsafe unlink(made.path) }
    }

    // MARK: Steps

    private static func explain(_ error: SystemError, _ path: String) -> ListenError {
        switch error.code {
        case EWOULDBLOCK, EADDRINUSE: .inUse(path)
        case ENOTSOCK: .notASocket(path)
        default: .system(error)
        }
    }

    private static func lock(_ path: String) throws(SystemError) -> FileDescriptor {
        let name = path.hasSuffix(".sock") ? String(path.dropLast(5)) + ".lock" : path + ".lock"
        let file = try System.open(name, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        try System.check("flock", name) { [fd = file.raw] in flock(fd, LOCK_EX | LOCK_NB) }
        return file
    }

    /// Removes what a daemon that died has left. Throws EADDRINUSE when somebody listens, lock or not.
    private static func clear(_ address: UnixAddress) throws(SystemError) {
        guard let status = try? status(address.path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError(code: ENOTSOCK, operation: "bind", context: address.path)
        }
        let probe = try UnixAddress.makeSocket(nonBlocking: true)
        do throws(SystemError) {
            try address.connect(probe.raw)
        } catch {
            guard error.code == ECONNREFUSED else { throw error }
            try System.check("unlink", address.path) { unsafe unlink(address.path) }
            return
        }
        throw SystemError(code: EADDRINUSE, operation: "bind", context: address.path)
    }

    private static func open(_ path: String, _ groupID: gid_t?) throws(SystemError) -> Made {
        let status = try status(path)
        if let groupID {
            try System.check("chown", path) { unsafe chown(path, uid_t.max, groupID) }
            try System.check("chmod", path) { unsafe chmod(path, 0o660) }
        }
        return Made(path: path, device: status.st_dev, inode: status.st_ino)
    }

    private static func status(_ path: String) throws(SystemError) -> stat {
        var status = stat()
        try System.check("lstat", path) { unsafe lstat(path, &status) }
        return status
    }
}
