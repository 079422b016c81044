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
        guard let (bytes, fault) = try read(path, rule) else { return nil }
        if let fault { throw ConfigurationError(file: path, message: fault) }
        return bytes
    }

    /// The same with why the file is not to be trusted with secrets, if so.
    static func read(_ path: String, _ rule: Rule) throws(ConfigurationError) -> ([UInt8], fault: String?)? {
        do throws(SystemError) {
            // O_NONBLOCK, or a FIFO would hold the daemon until somebody writes to it.
            let file = try System.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            var status = stat()
            try System.check("fstat", path) { unsafe fstat(file.raw, &status) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SystemError(code: 0, operation: "read", context: path)
            }
            return (try bytes(of: file.raw, path), fault(of: status, rule, uid: geteuid()))
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            let message = error.code == 0 ? "is not a regular file" : "cannot be read: \(error.reason)"
            throw ConfigurationError(file: path, message: message)
        }
    }

    /// True for a file of another user that this one cannot read.
    static func isClosed(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_uid != geteuid() else { return false }
        return unsafe access(path, R_OK) != 0
    }

    /// What keeps a file with that status from being trusted; nil for nothing.
    static func fault(of status: stat, _ rule: Rule, uid: UInt32) -> String? {
        let mode = String(status.st_mode & 0o7777, radix: 8)
        if rule == .mine, status.st_uid != uid, status.st_uid != 0 {
            return
                "belongs to user \(status.st_uid), not to \(uid), as whom jukeboxd runs, nor to root; chown it"
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
