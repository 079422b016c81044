import Base
import Glibc
import Wire

/// The connection to the daemon, as far as there is one: what is asked, and what comes.
final class Link {
    /// What came.
    enum Message {
        case result(JSONValue, Request)
        case refused(String, Request)
        case changes([(key: String, value: JSONValue?)])
    }

    private let socket: String?
    private var connection: ClientConnection?
    private var asked: [RequestID: Request] = [:]

    /// `socket` is the one that was named, nil for the usual ones.
    init(socket: String?) { self.socket = socket }

    /// The descriptor to wait for; -1 without a daemon.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

    /// Connects; returns why there is no daemon.
    func connect() -> String? {
        do throws(ClientError) {
            connection = try ClientConnection(SocketLocation.clientCandidates(option: socket))
            return nil
        } catch {
            return "no daemon answers; waiting for one"
        }
    }

    /// Asks; false when the daemon went.
    func send(_ request: Request) -> Bool {
        let (method, parameters) = request.call
        do throws(ClientError) {
            guard let id = try connection?.send(method, parameters == .null ? nil : JSONText(parameters))
            else {
                return false
            }
            asked[id] = request
            return true
        } catch {
            close()
            return false
        }
    }

    /// What has come, once the descriptor is readable; nil when the daemon went.
    func receive() -> [Message]? {
        guard let connection else { return nil }
        var messages: [Message] = []
        do throws(ClientError) {
            var next = try connection.nextMessage()
            while let message = next {
                if let known = read(message) { messages.append(known) }
                // A deadline in the past asks for what was read already.
                next = try connection.nextMessage(deadline: MonotonicTime(nanoseconds: 0))
            }
            return messages
        } catch {
            close()
            return messages.isEmpty ? nil : messages
        }
    }

    private func close() {
        connection = nil
        asked = [:]
    }

    private func read(_ message: ServerMessage) -> Message? {
        switch message {
        case .result(let id, let value): return asked.removeValue(forKey: id).map { .result(value, $0) }
        case .error(let id, let error):
            return asked.removeValue(forKey: id).map { .refused(error.message, $0) }
        case .notification, .batch: return message.changes.map { .changes($0) }
        }
    }
}
