import CLinux
import Glibc

/// The one door to system calls: EINTR is retried, errno becomes a typed error.
package enum System {
    /// Runs `body` until it is not interrupted; throws when it returns -1.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ operation: @autoclosure () -> String, _ context: @autoclosure () -> String = "",
        _ body: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let result = body()
            if result != -1 { return result }
            let code = errno
            if code != EINTR {
                throw SystemError(code: code, operation: operation(), context: context())
            }
        }
    }

    /// Opens a file with O_CLOEXEC. Throws what open(2) says, with the path.
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(SystemError)
        -> FileDescriptor
    {
        FileDescriptor(owning: try check("open", path) { unsafe jb_open(path, flags | O_CLOEXEC, mode) })
    }

    /// The same of a path that need not be UTF-8.
    package static func open(_ path: [UInt8], _ flags: Int32, mode: UInt32 = 0o600) throws(SystemError)
        -> FileDescriptor
    {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        return FileDescriptor(
            owning: try check("open", String(decoding: path, as: UTF8.self)) {
                unsafe jb_open(name, flags | O_CLOEXEC, mode)
            })
    }

    /// Reads at most `buffer.count` bytes; 0 at the end; nil when it would block.
    package static func read(_ fd: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError)
        -> Int?
    {
        do {
            return try check("read") { unsafe Glibc.read(fd, buffer.baseAddress, buffer.count) }
        } catch  where error.code == EAGAIN {
            return nil
        }
    }

    /// Reads at an offset without moving the file's own; may be short; 0 at the end.
    package static func pread(_ fd: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
        throws(SystemError) -> Int
    {
        try check("pread") { unsafe Glibc.pread(fd, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes some of the bytes; nil when it would block.
    package static func write(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        do {
            return try check("write") { unsafe Glibc.write(fd, bytes.baseAddress, bytes.count) }
        } catch  where error.code == EAGAIN {
            return nil
        }
    }

    /// The same of an array.
    package static func write(_ fd: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
        var result: Result<Int?, SystemError> = .success(0)
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(SystemError) {
                result = .success(try unsafe write(fd, bytes))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Writes all of the bytes to a blocking descriptor.
    package static func writeAll(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            guard let count = try unsafe write(fd, rest) else {
                throw SystemError(code: EAGAIN, operation: "write")
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Writes all of the bytes at an offset without moving the file's own.
    package static func pwriteAll(_ fd: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64)
        throws(SystemError)
    {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = try check("pwrite") {
                unsafe Glibc.pwrite(fd, rest.baseAddress, rest.count, off_t(offset &+ Int64(written)))
            }
            // A file system that takes nothing and says nothing has no room.
            guard count > 0 else { throw SystemError(code: ENOSPC, operation: "pwrite") }
            written += count
        }
    }

    /// Writes all of an array at an offset.
    package static func pwriteAll(_ fd: Int32, _ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        var failure: SystemError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemError) {
                try unsafe pwriteAll(fd, buffer, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Reads a whole small file, at most `limit` bytes; throws EFBIG beyond.
    package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try open(path, O_RDONLY)
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { unsafe chunk.deallocate() }
        while let count = try unsafe read(file.raw, into: chunk), count > 0 {
            unsafe bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { throw SystemError(code: EFBIG, operation: "read", context: path) }
        }
        return bytes
    }

    /// Makes a folder and those above it that are missing, closed to others. Throws what mkdir(2) says.
    package static func makeFolders(_ path: String) throws(SystemError) {
        do {
            try check("mkdir", path) { unsafe mkdir(path, 0o700) }
        } catch  where error.code == EEXIST {
        } catch  where error.code == ENOENT {
            guard let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex else { throw error }
            try makeFolders(String(path[..<slash]))
            try check("mkdir", path) { unsafe mkdir(path, 0o700) }
        }
    }

    /// The value of an environment variable; nil when unset or empty.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
