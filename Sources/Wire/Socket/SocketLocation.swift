package import Base
import CLinux
import Glibc

/// Where the control socket is, and how far its folder is to be trusted.
package struct SocketLocation: Equatable, Sendable {
    /// What the daemon may do with the folder that holds the socket.
    package enum Folder: Equatable, Sendable {
        /// The user or systemd named it; it has to be there.
        case given
        /// Below a folder that only its owner can write to; made when missing.
        case own
        /// In `/tmp`, where anybody could have made it: owner and mode are checked, links not followed.
        case shared
    }

    /// The socket file's path.
    package let path: String
    /// How far the folder is to be trusted.
    package let folder: Folder

    package init(path: String, folder: Folder) {
        self.path = path
        self.folder = folder
    }

    /// The folder's path; "." for a bare file name.
    package var folderPath: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: Where to look

    /// The values that decide, so that tests need no environment of the process.
    package struct Surroundings: Sendable {
        /// `JUKEBOXD_SOCKET`.
        package var socket: String?
        /// `RUNTIME_DIRECTORY`, as systemd sets it; the first of several counts.
        package var runtimeDirectory: String?
        /// `XDG_RUNTIME_DIR`.
        package var userRuntimeDirectory: String?
        /// The effective user.
        package var userID: UInt32

        package init(
            socket: String? = nil, runtimeDirectory: String? = nil, userRuntimeDirectory: String? = nil,
            userID: UInt32
        ) {
            self.socket = socket
            self.runtimeDirectory = runtimeDirectory
            self.userRuntimeDirectory = userRuntimeDirectory
            self.userID = userID
        }

        /// This process's environment and effective user.
        package static var current: Surroundings {
            Surroundings(
                socket: System.environment("JUKEBOXD_SOCKET"),
                runtimeDirectory: System.environment("RUNTIME_DIRECTORY"),
                userRuntimeDirectory: System.environment("XDG_RUNTIME_DIR"), userID: geteuid())
        }
    }

    /// Where the daemon listens; `option` is what `--socket` says.
    package static func server(option: String?, _ around: Surroundings = .current) -> SocketLocation {
        if let path = option ?? around.socket { return SocketLocation(path: path, folder: .given) }
        if let list = around.runtimeDirectory, let first = list.split(separator: ":").first {
            return SocketLocation(path: "\(first)/control.sock", folder: .given)
        }
        if let folder = around.userRuntimeDirectory { return inUserFolder(folder) }
        return around.userID == 0 ? system : inTemporaryFolder(around.userID)
    }

    /// Where clients look, in order; one that the user named is the only one.
    package static func clientCandidates(option: String?, _ around: Surroundings = .current)
        -> [SocketLocation]
    {
        if let path = option ?? around.socket { return [SocketLocation(path: path, folder: .given)] }
        let user = around.userRuntimeDirectory.map { [inUserFolder($0)] } ?? []
        return user + [system, inTemporaryFolder(around.userID)]
    }

    private static func inUserFolder(_ folder: String) -> SocketLocation {
        SocketLocation(path: "\(folder)/jukeboxd/control.sock", folder: .own)
    }
    private static let system = SocketLocation(path: "/run/jukeboxd/control.sock", folder: .own)
    private static func inTemporaryFolder(_ user: UInt32) -> SocketLocation {
        SocketLocation(path: "/tmp/jukeboxd-\(user)/control.sock", folder: .shared)
    }

    // MARK: Trust

    /// Makes the folder where that is the daemon's job, and checks it. The umask must let 0700 through.
    package func prepareFolder() throws(SystemError) {
        guard folder != .given else { return }
        let mode: mode_t = folderPath == "/run/jukeboxd" ? 0o755 : 0o700
        do {
            try System.check("mkdir", folderPath) { unsafe mkdir(folderPath, mode) }
        } catch  where error.code == EEXIST {
            // The usual case from the second start on.
        }
        try checkFolder()
    }

    /// Checks owner (this user) and mode (0700) of a folder in `/tmp`. Throws EPERM when they differ.
    package func checkFolder() throws(SystemError) {
        guard folder == .shared else { return }
        var status = stat()
        try System.check("lstat", folderPath) { unsafe lstat(folderPath, &status) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o777 == 0o700
        else {
            let purpose = "\(folderPath), which has to be a folder of this user with mode 0700"
            throw SystemError(code: EPERM, operation: "check of", context: purpose)
        }
    }
}
