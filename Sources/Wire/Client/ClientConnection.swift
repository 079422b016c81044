package import Base
import CLinux
import Glibc

/// A blocking connection to the daemon: for one thread of a small client.
///
// Safe because the chunk is private, lives as long as the object, and is used within its length only.
@safe package final class ClientConnection {
    /// The socket's path.
    package let path: String
    private let socket: FileDescriptor
    private var framer = LineFramer(limit: 64 << 20)
    private var lastID: Int64 = 0
    private var waiting: [ServerMessage] = []
    private let chunk: UnsafeMutableRawBufferPointer
    private static let chunkBytes = 64 * 1024

    /// Connects to the first location where a daemon answers. Throws `noDaemon`.
    package convenience init(_ candidates: [SocketLocation]) throws(ClientError) {
        var tried: [SystemError] = []
        for location in candidates {
            do throws(SystemError) {
                try location.checkFolder()
                let address = try UnixAddress(location.path)
                let socket = try UnixAddress.makeSocket(nonBlocking: false)
                try address.connect(socket.raw)
                self.init(socket, path: location.path)
                return
            } catch {
                tried.append(error)
            }
        }
        throw ClientError.noDaemon(tried: tried)
    }

    /// Takes a connected socket.
    package init(_ socket: consuming FileDescriptor, path: String) {
        self.path = path
        self.socket = socket
        unsafe chunk = .allocate(byteCount: ClientConnection.chunkBytes, alignment: 16)
    }

    deinit { unsafe chunk.deallocate() }

    /// The descriptor, to wait for with others; check `hasMessage` before waiting.
    package var descriptor: Int32 { socket.raw }

    /// True when a message was read ahead while a reply was waited for.
    package var hasMessage: Bool { !waiting.isEmpty }

    // MARK: Calls

    /// Calls a method and waits for its reply; what comes before it waits in `nextMessage`.
    package func call(_ method: String, _ params: JSONText? = nil, deadline: MonotonicTime? = nil)
        throws(ClientError) -> JSONValue
    {
        let id = try send(method, params)
        while true {
            guard let message = try receive(deadline) else { throw ClientError.timedOut }
            switch message {
            case .result(id, let value): return value
            case .error(id, let error), .error(.null, let error): throw ClientError.refused(error)
            default: waiting.append(message)
            }
        }
    }

    /// Sends a request without waiting; returns its id.
    package func send(_ method: String, _ params: JSONText? = nil) throws(ClientError) -> RequestID {
        lastID += 1
        let id = RequestID.integer(lastID)
        try send(line: MessageWriter.line(MessageWriter.request(method, params: params, id: id)))
        return id
    }

    /// Sends bytes that are whole lines.
    package func send(line: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < line.count {
            // Safe because the rest lies within the array for the length of the call.
            let count = unsafe line.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    socket.raw, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw ClientError.closed
            }
            sent += count
        }
    }

    // MARK: Messages

    /// The next message in order of arrival; nil when the deadline passed. Throws `closed` at the end.
    package func nextMessage(deadline: MonotonicTime? = nil) throws(ClientError) -> ServerMessage? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return try receive(deadline)
    }

    private func receive(_ deadline: MonotonicTime?) throws(ClientError) -> ServerMessage? {
        while true {
            switch framer.next() {
            case .line(let line)?: return try ServerMessage(line: line)
            case .tooLong?: throw ClientError.protocolViolation("a line beyond 64 MiB")
            case nil: if try !read(deadline) { return nil }
            }
        }
    }

    /// Reads once; false when the deadline passed first or a signal came.
    private func read(_ deadline: MonotonicTime?) throws(ClientError) -> Bool {
        if let deadline, !waitUntilReadable(deadline) { return false }
        do throws(SystemError) {
            guard let count = try unsafe System.read(socket.raw, into: chunk) else { return true }
            if count == 0 { throw SystemError(code: ECONNRESET, operation: "read") }
            unsafe framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            return true
        } catch {
            throw ClientError.closed
        }
    }

    private func waitUntilReadable(_ deadline: MonotonicTime) -> Bool {
        var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        while true {
            let left = (deadline - .now).nanoseconds
            if left <= 0 { return false }
            let milliseconds = Int32(clamping: left / 1_000_000 + 1)
            let count = unsafe poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            if count < 0, errno != EINTR { return true }
        }
    }
}
