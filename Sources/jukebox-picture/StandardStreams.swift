import Base
import Glibc

/// What comes in and goes out of a filter.
enum StandardStreams {
    /// All of standard input. Throws EFBIG when there is more than that.
    static func input(atMost limit: Int) throws(SystemError) -> [UInt8] {
        var all: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { unsafe chunk.deallocate() }
        while let count = try unsafe System.read(STDIN_FILENO, into: chunk), count > 0 {
            guard all.count + count <= limit else { throw SystemError(code: EFBIG, operation: "read") }
            unsafe all.append(contentsOf: chunk[..<count])
        }
        return all
    }

    /// Writes all of it, to standard output unless told.
    static func write(_ bytes: [UInt8], to fd: Int32 = STDOUT_FILENO) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if let count = try System.write(fd, rest) { rest = rest.dropFirst(count) }
        }
    }
}
