import Base
import CLinux
import Glibc

/// A file with secrets: read only when nobody else could have.
enum PrivateFile {
    /// Whose rights the file must be closed to.
    enum Rule {
        /// Owned by this user or root, and closed to everybody else.
        case mine
        /// Laid down by the service manager, which sees to the owner and may use an access list.
        case service
    }

    /// The bytes of a file of at most 1 MiB; nil when there is none. Throws what is wrong with it.
    static func contents(_ path: String, _ rule: Rule) throws(ConfigurationError) -> [UInt8]? {
        do throws(SystemError) {
            // O_NONBLOCK, or a FIFO would hold the daemon until somebody writes to it.
            let file = try System.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            var status = stat()
            try System.check("fstat", path) { unsafe fstat(file.raw, &status) }
            if let fault = fault(of: status, rule, uid: geteuid()) {
                throw SystemError(code: 0, operation: "check", context: fault)
            }
            return try bytes(of: file.raw, path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            let message = error.code == 0 ? error.context : "cannot be read: \(error.reason)"
            throw ConfigurationError(file: path, message: message)
        }
    }

    /// What keeps a file with that status from being trusted; nil for nothing.
    static func fault(of status: stat, _ rule: Rule, uid: UInt32) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        if rule == .mine, status.st_uid != uid, status.st_uid != 0 {
            return "belongs to user \(status.st_uid), not to \(uid), as whom jukeboxd runs, nor to root; chown it"
        }
        let others: mode_t = rule == .mine ? 0o077 : 0o007
        if status.st_mode & others != 0 {
            return "holds secrets, and others have rights to it (mode 0\(mode)): chmod 600 it"
        }
        return nil
    }

    private static func bytes(of fd: Int32, _ path: String) throws(SystemError) -> [UInt8] {
        let limit = 1 << 20
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { unsafe chunk.deallocate() }
        var bytes: [UInt8] = []
        while let count = try unsafe System.read(fd, into: chunk), count > 0 {
            unsafe bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { throw SystemError(code: EFBIG, operation: "read", context: path) }
        }
        return bytes
    }
}
