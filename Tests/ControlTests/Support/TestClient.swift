import Base
import CLinux
import Glibc
import Testing
import Wire

/// A client that shows bytes and lines as they are.
final class TestClient {
    let fd: Int32
    private var framer = LineFramer(limit: 64 << 20)
    private var isOpen = true
    /// Only ends a test that hangs.
    static let deadline = 20.0

    init(_ path: String) throws {
        let socket = try UnixAddress.makeSocket(nonBlocking: false)
        try UnixAddress(path).connect(socket.raw)
        fd = socket.release()
        var time = timeval(tv_sec: Int(TestClient.deadline), tv_usec: 0)
        unsafe setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    func close() {
        if isOpen { _ = Glibc.close(fd) }
        isOpen = false
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(fd, $0.baseAddress! + start, bytes.count - start, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            start += count
        }
    }

    func endInput() { shutdown(fd, Int32(SHUT_WR)) }

    /// The next line; nil at the end of the connection.
    func line() -> String? {
        while true {
            if case .line(let bytes)? = framer.next() { return String(decoding: bytes, as: UTF8.self) }
            guard read() else { return nil }
        }
    }

    private func read() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { chunk in
            let count = unsafe recv(fd, chunk.baseAddress, chunk.count, 0)
            if count <= 0 { return false }
            unsafe framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            return true
        }
    }

    /// The next line as JSON.
    func message() throws -> JSONValue {
        guard let line = line() else { throw Closed() }
        return try JSONParser.parse(Array(line.utf8), limits: .reply)
    }

    struct Closed: Error {}

    /// Sends a request and returns the next line, which has to be its reply.
    func call(_ request: String) throws -> JSONValue {
        send(request + "\n")
        return try message()
    }
}

extension JSONValue {
    /// A member or an element along a path, such as `value("params", "changes", "player.volume", "new")`.
    func value(_ path: String...) -> JSONValue? {
        var here: JSONValue? = self
        for name in path { here = here?[name] }
        return here
    }

    /// `error.code` and `error.data.code` in one word.
    var errorName: String? {
        guard case .integer(let code)? = value("error", "code"),
            case .string(let name)? = value("error", "data", "code")
        else { return nil }
        return "\(code) \(name)"
    }

    var int: Int64? { if case .integer(let number) = self { number } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
}
