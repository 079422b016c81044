import Base
import CLinux
import Glibc
import Wire

/// A connection to the daemon: requests and their replies, and a mirror of what is observed.
final class Daemon {
    /// Why `waitForChange` returned.
    enum Wake: Equatable {
        case changed, deadline, interrupted
    }

    private let connection: ClientConnection

    /// What is observed, as far as it was told.
    private(set) var values: [String: JSONValue] = [:]
    /// What was told to have changed since `takeChangedKeys`.
    private(set) var changedKeys: Set<String> = []
    /// Tells of SIGINT and SIGTERM once they are caught.
    private var interrupts: SignalDescriptor?

    /// Connects to the socket that was named, else to the first that answers among the usual ones.
    /// Throws with status 3 when none does.
    init(socket: String?) throws(ClientFailure) {
        do throws(ClientError) {
            connection = try ClientConnection(SocketLocation.clientCandidates(option: socket))
        } catch {
            throw Daemon.failure(error)
        }
    }

    /// Calls a method and returns its result. Throws what the daemon says.
    @discardableResult
    func call(_ method: String, _ parameters: JSONValue = .null) throws(ClientFailure) -> JSONValue {
        let text = parameters == .null ? nil : JSONText(parameters)
        do throws(ClientError) {
            let result = try connection.call(method, text)
            while connection.hasMessage, let message = try connection.nextMessage() { take(message) }
            return result
        } catch {
            throw Daemon.failure(error)
        }
    }

    /// The value of one property; null when there is none.
    func value(of key: String) throws(ClientFailure) -> JSONValue {
        let result = try call("get", .object(["keys": .array([.string(key)])]))
        return result["values"]?[key] ?? .null
    }

    /// Sets one property; returns what the daemon answers.
    @discardableResult
    func set(_ key: String, _ value: JSONValue) throws(ClientFailure) -> JSONValue {
        try call("set", .object(["values": .object([key: value])]))
    }

    /// Observes properties; `values` mirrors them from now on.
    func observe(_ keys: [String]) throws(ClientFailure) {
        let result = try call("observe", .object(["keys": .array(keys.map { .string($0) })]))
        if case .object(let members)? = result["values"] { values.merge(members) { $1 } }
    }

    /// Waits for the next message of changes, and takes it into `values`. Throws with status 3 when the
    /// daemon goes.
    func waitForChange(until deadline: MonotonicTime?) throws(ClientFailure) -> Wake {
        do throws(ClientError) {
            while true {
                // A deadline in the past only asks for what has been read already.
                var message = try connection.nextMessage(deadline: MonotonicTime(nanoseconds: 0))
                if message == nil {
                    let wake = wait(until: deadline)
                    if wake != .changed { return wake }
                    message = try connection.nextMessage()
                }
                if let message, take(message) { return .changed }
            }
        } catch {
            throw Daemon.failure(error)
        }
    }

    /// Forgets which keys have changed, and returns them.
    func takeChangedKeys() -> Set<String> {
        defer { changedKeys = [] }
        return changedKeys
    }

    /// Makes SIGINT and SIGTERM end `waitForChange` instead of the program.
    func catchInterrupts() {
        interrupts = try? SignalDescriptor([SIGINT, SIGTERM])
    }

    /// Waits for something to read, the deadline or an interrupt, whichever is first.
    private func wait(until deadline: MonotonicTime?) -> Wake {
        var entries = [
            pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interrupts?.raw ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let left = (deadline - .now).nanoseconds
                if left <= 0 { return .deadline }
                milliseconds = Int32(clamping: left / 1_000_000 + 1)
            }
            let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
            if entries[1].revents != 0 { return .interrupted }
            if count > 0 || (count < 0 && errno != EINTR) { return .changed }
        }
    }

    /// Takes a message of changes into the mirror; false for any other.
    @discardableResult
    private func take(_ message: ServerMessage) -> Bool {
        guard let changes = message.changes else { return false }
        for (key, value) in changes {
            values[key] = value
            changedKeys.insert(key)
        }
        return true
    }

    private static func failure(_ error: ClientError) -> ClientFailure {
        switch error {
        case .refused(let error):
            .refused(error.message, code: error.name)
        case .timedOut:
            ClientFailure(status: .timedOut, message: "\(error)")
        case .noDaemon(let tried):
            ClientFailure(status: .noDaemon, message: noDaemon(tried))
        case .closed, .protocolViolation:
            ClientFailure(status: .noDaemon, message: "\(error)")
        }
    }

    /// Where a daemon was looked for, and what to do about it.
    private static func noDaemon(_ tried: [SystemError]) -> String {
        let isAbsent = tried.allSatisfy { $0.code == ENOENT || $0.code == ECONNREFUSED }
        guard isAbsent else {
            return "no daemon answers: " + tried.map(\.description).joined(separator: "; ")
        }
        let paths = tried.map(\.context).joined(separator: ", ")
        return "no daemon on \(paths): start it with `jukeboxd`"
    }
}
