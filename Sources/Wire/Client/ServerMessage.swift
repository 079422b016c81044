package import Base

/// One line from the daemon.
package enum ServerMessage: Equatable, Sendable {
    case result(RequestID, JSONValue)
    case error(RequestID, RPCError)
    case notification(method: String, params: JSONValue)
    /// The answer to a batch.
    case batch([ServerMessage])

    /// Reads a line. Throws when it is no message of the protocol.
    package init(line: [UInt8]) throws(ClientError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(line, limits: .reply)
        } catch {
            throw ClientError.protocolViolation(error.message)
        }
        try self.init(value)
    }

    /// Reads a message that is parsed already. Throws when it is none of the protocol.
    package init(_ value: JSONValue) throws(ClientError) {
        if case .array(let members) = value {
            var messages: [ServerMessage] = []
            for member in members { messages.append(try ServerMessage(member)) }
            self = .batch(messages)
        } else if case .string(let method)? = value["method"] {
            self = .notification(method: method, params: value["params"] ?? .null)
        } else if let id = value["id"].flatMap({ RequestID($0) }), let error = value["error"] {
            self = .error(id, RPCError(error))
        } else if let id = value["id"].flatMap({ RequestID($0) }), let result = value["result"] {
            self = .result(id, result)
        } else {
            throw ClientError.protocolViolation("neither a reply nor a notification")
        }
    }

    /// The properties that it tells to have changed, nil for one that went away; nil for any other message.
    package var changes: [(key: String, value: JSONValue?)]? {
        guard case .notification("changed", let parameters) = self,
            case .object(let changes)? = parameters["changes"]
        else { return nil }
        return changes.map { ($0.0, $0.1["removed"] == .bool(true) ? nil : $0.1["new"]) }
    }
}
