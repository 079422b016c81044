package import Base

/// One JSON-RPC call: a request with an id, or a notification without.
package struct Request: Equatable, Sendable {
    /// Nil: a notification, which gets no answer.
    package let id: RequestID?
    /// The method's name, such as `queue.add`.
    package let method: String
    /// Nil when left out or null; else an array or an object.
    package let params: JSONValue?

    package init(id: RequestID?, method: String, params: JSONValue?) {
        self.id = id
        self.method = method
        self.params = params
    }
}

/// A member of a message: a call, or what is wrong with it and the id to say so to.
package enum IncomingCall: Equatable, Sendable {
    case request(Request)
    case invalid(RequestID, RPCError)
}

/// One line from a client, read as JSON-RPC 2.0.
package enum IncomingMessage: Equatable, Sendable {
    case single(IncomingCall)
    case batch([IncomingCall])

    /// The most members of a batch.
    package static let batchLimit = 1000

    /// Reads a line; never fails, since a fault is answered by an error.
    package init(line: [UInt8]) {
        do throws(JSONError) {
            self.init(try JSONParser.parse(line))
        } catch {
            self = .single(.invalid(.null, RPCError(error)))
        }
    }

    /// Reads a message that is parsed already.
    package init(_ value: JSONValue) {
        guard case .array(let members) = value else {
            self = .single(IncomingMessage.call(value))
            return
        }
        if members.isEmpty {
            self = .single(.invalid(.null, .invalidRequest("A batch needs at least one member.")))
        } else if members.count > IncomingMessage.batchLimit {
            let text =
                "A batch of \(members.count) members; at most \(IncomingMessage.batchLimit) are allowed."
            self = .single(.invalid(.null, .requestLimit(text)))
        } else {
            self = .batch(members.map(IncomingMessage.call))
        }
    }

    private static func call(_ value: JSONValue) -> IncomingCall {
        guard case .object(let members) = value else {
            return .invalid(.null, .invalidRequest("A request is an object, not \(value.kindName)."))
        }
        var id: RequestID?
        if let given = members["id"] {
            guard let known = RequestID(given) else {
                let allowed = "a string, null or an integer within 64 bits"
                return .invalid(
                    .null, .invalidRequest("id is \(Quoted.value(given)); it must be \(allowed)."))
            }
            id = known
        }
        do throws(RPCError) {
            return .request(try request(members, id))
        } catch {
            return .invalid(id ?? .null, error)
        }
    }

    private static func request(_ members: JSONMembers, _ id: RequestID?) throws(RPCError) -> Request {
        if let version = members["jsonrpc"], version != .string("2.0") {
            throw .invalidRequest("jsonrpc is \(Quoted.value(version)); it must be \"2.0\" or left out.")
        }
        guard case .string(let method)? = members["method"] else {
            let given = members["method"].map { "is \(Quoted.value($0))" } ?? "is missing"
            throw .invalidRequest("method \(given); it must be a string.")
        }
        let params = members["params"]
        switch params {
        case nil, .null?: return Request(id: id, method: method, params: nil)
        case .array?, .object?: return Request(id: id, method: method, params: params)
        case let other?:
            throw .invalidRequest("params is \(Quoted.value(other)); it must be an object or an array.")
        }
    }
}
