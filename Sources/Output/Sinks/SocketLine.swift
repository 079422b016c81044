import Base
import CLinux
import Glibc

/// A TCP connection that is made, and made again with growing waits, on threads that end with each attempt.
final class SocketLine: BroadcastLine {
    private final class Attempt: Sendable {
        /// The socket, or why there is none; nil while it is being tried.
        let outcome = Guarded<Result<Int32, Failure>?>(nil)
        deinit {
            // Nobody asked for it any more.
            if case .success(let number) = outcome.withLock({ $0 }) { _ = Glibc.close(number) }
        }
    }

    private struct Failure: Error { let reason: String }

    private(set) var absence: String?
    private let host: String
    private let port: UInt16
    private let bufferBytes: Int
    private var socket: FileDescriptor?
    private var attempt: Attempt?
    private var failures = 0
    private var retryAt = MonotonicTime(nanoseconds: 0)
    private static let waits: [Int] = [250, 500, 1000, 2000, 5000]
    private static let connectMilliseconds: Int32 = 5000

    /// Connects to nothing yet. The socket holds about `bufferBytes` that are not read.
    init(host: String, port: UInt16, bufferBytes: Int) {
        self.host = host
        self.port = port
        self.bufferBytes = bufferBytes
    }

    var isOpen: Bool { socket != nil }

    var description: String { "TCP \(place)" }

    private var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    func open() throws(SinkFailure) -> Bool {
        guard let attempt else {
            if .now >= retryAt { begin() }
            return false
        }
        let outcome = attempt.outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
        guard let outcome else { return false }
        self.attempt = nil
        switch outcome {
        case .success(let number):
            socket = FileDescriptor(owning: number)
            absence = nil
            failures = 0
            return true
        case .failure(let failure):
            lose("cannot connect to \(place): \(failure.reason)")
            return false
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let number = socket?.raw else { return 0 }
        do throws(SystemError) {
            return try unsafe System.write(number, bytes) ?? 0
        } catch {
            lose("the connection to \(place) broke: \(error.reason)")
            return 0
        }
    }

    func close() {
        socket = nil
        attempt = nil
        absence = nil
        failures = 0
        retryAt = .now
    }

    private func lose(_ reason: String) {
        socket = nil
        absence = reason
        retryAt = .now + .milliseconds(Self.waits[min(failures, Self.waits.count - 1)])
        failures += 1
    }

    /// A name may take its time to be looked up, so a thread does it.
    private func begin() {
        let attempt = Attempt()
        let (host, port, buffer) = (host, port, Int32(clamping: bufferBytes))
        do throws(SystemError) {
            try Thread.start(name: "jb-connect") {
                let outcome = Self.connect(host, port, buffer)
                attempt.outcome.withLock { $0 = outcome }
            }
            self.attempt = attempt
        } catch {
            lose("cannot connect to \(place): \(error.reason)")
        }
    }

    private static func connect(_ host: String, _ port: UInt16, _ buffer: Int32) -> Result<Int32, Failure> {
        var lookup: Int32 = 0
        let number = unsafe jb_connect(host, String(port), connectMilliseconds, buffer, &lookup)
        if number >= 0 { return .success(number) }
        let code = errno
        guard lookup != 0 else { return .failure(Failure(reason: SystemError.reason(of: code))) }
        let text = unsafe gai_strerror(lookup).map { unsafe String(cString: $0) }
        return .failure(Failure(reason: text ?? "no such host"))
    }
}
