import CLinux
import Glibc

/// A folder that is open, so that what is in it is found though it is renamed meanwhile. One thread at a time.
// Safe because the stream is closed once, in deinit, and used before that only.
@safe package final class OpenFolder {
    /// Something in a folder. Names are bytes: they need not be UTF-8.
    package struct Entry: Sendable {
        package enum Kind: Sendable {
            case folder, file, link, other
            /// The file system does not tell.
            case unknown
        }

        package let name: [UInt8]
        package let kind: Kind
    }

    /// What the system tells of a file or folder.
    package struct Status: Sendable {
        package let isFolder: Bool
        package let isFile: Bool
        /// Nanoseconds since 1970 of its last change.
        package let modified: Int64
        /// In bytes.
        package let size: Int64
        package let identity: Identity
    }

    /// Which file or folder it is, whatever its name.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    private let stream: OpaquePointer
    private let descriptor: Int32

    /// Opens a folder by its path. Throws what open(2) says.
    package convenience init(path: [UInt8]) throws(SystemError) {
        try self.init(Self.open(AT_FDCWD, path))
    }

    /// Opens a folder in another. Throws what open(2) says.
    package convenience init(_ name: [UInt8], in folder: OpenFolder) throws(SystemError) {
        try self.init(Self.open(folder.descriptor, name))
    }

    private static func open(_ folder: Int32, _ name: [UInt8]) throws(SystemError) -> Int32 {
        try System.check("open", String(decoding: name, as: UTF8.self)) {
            unsafe withName(name) { unsafe jb_openat(folder, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
    }

    private init(_ descriptor: Int32) throws(SystemError) {
        guard let stream = unsafe fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw SystemError(code: code, operation: "fdopendir")
        }
        unsafe self.stream = unsafe stream
        self.descriptor = descriptor
    }

    deinit { unsafe closedir(stream) }

    /// What is in it, but for itself and the one above; at most `limit`. Throws what the disk says.
    package func entries(limit: Int = 1_000_000) throws(SystemError) -> [Entry] {
        unsafe rewinddir(stream)
        var found: [Entry] = []
        while found.count < limit {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw SystemError(code: errno, operation: "readdir") }
                break
            }
            // Safe because the system ends the name with a NUL within its field.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    unsafe Array(UnsafeBufferPointer(start: bytes, count: strlen(bytes)))
                }
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            found.append(Entry(name: name, kind: Self.kind(unsafe entry.pointee.d_type)))
        }
        return found
    }

    /// The names in a folder, repaired where they are not UTF-8; none where it cannot be read.
    package static func names(in path: String, limit: Int = 1_000_000) -> [String] {
        let entries = try? OpenFolder(path: Array(path.utf8)).entries(limit: limit)
        return (entries ?? []).map { String(decoding: $0.name, as: UTF8.self) }
    }

    private static func kind(_ type: UInt8) -> Entry.Kind {
        switch Int(type) {
        case Int(DT_DIR): .folder
        case Int(DT_REG): .file
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }

    /// What a name in it leads to, through links; nil when there is none, or no way to it.
    package func status(of name: [UInt8]) -> Status? {
        var status = stat()
        let code = unsafe Self.withName(name) { unsafe fstatat(descriptor, $0, &status, 0) }
        return code == 0 ? Status(status) : nil
    }

    /// Itself.
    package var status: Status? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Status(status) : nil
    }

    /// Opens a file in it for reading. Throws what open(2) says.
    package func openFile(_ name: [UInt8]) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try System.check("open", String(decoding: name, as: UTF8.self)) {
                unsafe Self.withName(name) {
                    unsafe jb_openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                }
            })
    }

    /// True when there is something of that path.
    package static func exists(_ path: [UInt8]) -> Bool {
        unsafe withName(path) { unsafe access($0, F_OK) } == 0
    }

    private static func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result
    {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
            for (index, byte) in name.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
            unsafe buffer[name.count] = 0
            return unsafe body(UnsafePointer(buffer.baseAddress!))
        }
    }
}

extension OpenFolder.Status {
    fileprivate init(_ status: stat) {
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        size = Int64(status.st_size)
        identity = .init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
