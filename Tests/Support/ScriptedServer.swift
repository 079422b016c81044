import Foundation
import Glibc
import Synchronization

/// An HTTP and ICY server on a loopback address that does what a script says, faults included.
///
/// A script turns each request into steps; the server takes them in order and closes the connection after the
/// last, unless a step did.
public final class ScriptedServer: Sendable {
    /// One request as it came.
    public struct Request: Sendable {
        public let method: String
        public let path: String
        public let query: String
        /// Names in lower case.
        public let headers: [String: String]
        /// How many requests came before this one, to this server.
        public let index: Int

        /// The first byte of a `Range`; nil without one.
        public var rangeStart: Int? {
            guard let range = headers["range"], range.hasPrefix("bytes=") else { return nil }
            return Int(range.dropFirst(6).prefix { $0 != "-" })
        }

        /// The byte after the last one of a `Range`; nil without one, and for all that follow.
        public var rangeEnd: Int? {
            guard let range = headers["range"], let dash = range.lastIndex(of: "-") else { return nil }
            return Int(range[range.index(after: dash)...]).map { $0 + 1 }
        }
    }

    /// One thing that the server does.
    public enum Step: Sendable {
        /// A status line and headers; a `Connection: close` is added for HTTP/1.1.
        case head(String, [(String, String)] = [])
        case body([UInt8])
        /// Each part as a chunk of its own; the last chunk unless it is left out.
        case chunks([[UInt8]], last: Bool = true)
        /// Nothing more until the other side closes or the server stops.
        case hold
        /// Nothing more until the gate is opened.
        case wait(Gate)
        /// A reset instead of a close.
        case reset
    }

    public typealias Script = @Sendable (Request) -> [Step]

    private struct State {
        var requests: [Request] = []
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// "127.0.0.1:PORT".
    public let address: String
    private let listener: Int32
    private let script: Script
    private let state = Mutex(State())

    /// Listens on an ephemeral port.
    public init(host: String = "127.0.0.1", _ script: @escaping Script) throws {
        self.script = script
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        unsafe inet_pton(AF_INET, host, &name.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        address = "\(host):\(UInt16(bigEndian: name.sin_port))"
        self.listener = listener
        Foundation.Thread.detachNewThread { [weak self] in
            // Closed here and not by `stop`: its number could be another listener's by the next `accept`.
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let self, self.take(connection) else {
                    close(connection)
                    return
                }
            }
        }
    }

    deinit { stop() }

    /// The URL of a path on this server.
    public func url(_ path: String, scheme: String = "http") -> String { "\(scheme)://\(address)\(path)" }

    /// All requests so far, in order.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Connections that neither side has ended.
    public var openConnections: Int { state.withLock { $0.connections.count } }

    /// Ends all connections and listens no more.
    public func stop() {
        let (wasRunning, connections) = state.withLock { state in
            defer { state.isStopped = true }
            return (!state.isStopped, state.connections)
        }
        guard wasRunning else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func take(_ connection: Int32) -> Bool {
        let isRunning = state.withLock { state in
            if !state.isStopped { state.connections.insert(connection) }
            return !state.isStopped
        }
        guard isRunning else { return false }
        Foundation.Thread.detachNewThread { [self] in
            serve(connection)
            _ = state.withLock { $0.connections.remove(connection) }
            close(connection)
        }
        return true
    }

    // MARK: A connection

    private func serve(_ connection: Int32) {
        guard let request = readRequest(connection) else { return }
        for step in script(request) where !perform(step, connection, isHead: request.method == "HEAD") {
            return
        }
        // A close in order: the other side has read all before it sees the end.
        shutdown(connection, Int32(SHUT_WR))
        drain(connection)
    }

    private func readRequest(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.suffix(4096 + 4).contains(sequence: Array("\r\n\r\n".utf8)), bytes.count < 65_536 {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return state.withLock { state in
            let request = Request(
                method: String(words[0]), path: String(target[0]),
                query: target.count > 1 ? String(target[1]) : "",
                headers: headers, index: state.requests.count)
            state.requests.append(request)
            return request
        }
    }

    /// Returns false when nothing more can be done on the connection.
    private func perform(_ step: Step, _ connection: Int32, isHead: Bool) -> Bool {
        switch step {
        case .head(let status, let headers):
            var text = status + "\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            if status.hasPrefix("HTTP/1.1 "), !status.hasPrefix("HTTP/1.1 1") {
                text += "Connection: close\r\n"
            }
            return send(Array((text + "\r\n").utf8), connection)
        case .body(let bytes): return isHead || send(bytes, connection)
        case .chunks(let parts, let last):
            for part in parts {
                let frame = Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8)
                guard send(frame, connection) else { return false }
            }
            return !last || send(Array("0\r\n\r\n".utf8), connection)
        case .hold:
            drain(connection)
            return false
        case .wait(let gate):
            gate.wait()
            return true
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(
                connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            return false
        }
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func drain(_ connection: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
}

/// Holds up a script until a test lets it go on.
public final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Mutex(false)

    public init() {}

    /// Lets all that wait go on, now and later.
    public func open() {
        condition.lock()
        isOpen.withLock { $0 = true }
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until it is open, for so many seconds at most.
    public func wait(atMost seconds: Double = 20) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        while !isOpen.withLock({ $0 }), condition.wait(until: deadline) {}
        condition.unlock()
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(sequence: [Element]) -> Bool {
        guard count >= sequence.count else { return false }
        return indices.contains { self[$0...].starts(with: sequence) }
    }
}
