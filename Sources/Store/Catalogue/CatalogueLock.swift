import Base
import CLinux
import CSQLite
import Glibc

/// The right to write a folder's catalogue: two daemons would each undo what the other refreshed, and neither would
/// tell of what the other changed.
final class CatalogueLock {
    private let file: FileDescriptor

    /// Takes it. Throws `busy` where another process has it.
    init(folder: String) throws(StoreError) {
        let path = folder + "/catalogue.lock"
        do throws(SystemError) {
            try System.makeFolders(folder)
            let file = try System.open(path, O_RDWR | O_CREAT | O_NOFOLLOW)
            try System.check("flock", path) { [fd = file.raw] in flock(fd, LOCK_EX | LOCK_NB) }
            self.file = file
        } catch {
            let isTaken = error.code == EWOULDBLOCK
            throw StoreError(
                code: isTaken ? SQLITE_BUSY : SQLITE_CANTOPEN,
                message: isTaken ? "another daemon uses it" : error.reason, operation: "lock \(path)")
        }
    }
}
