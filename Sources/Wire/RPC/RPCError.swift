package import Base

/// The error of a reply: JSON-RPC's code, the protocol's stable name for it, and a sentence for a person.
package struct RPCError: Error, Equatable, Sendable {
    /// JSON-RPC's number.
    package let code: Int
    /// `data.code` on the wire; clients decide by it.
    package let name: String
    /// One sentence for a person.
    package let message: String

    /// Makes any error; the ones below are the usual ones.
    package init(code: Int, name: String, message: String) {
        self.code = code
        self.name = name
        self.message = message
    }

    /// A line that is not JSON.
    package static func parse(_ message: String) -> RPCError {
        RPCError(code: -32700, name: "parse_error", message: message)
    }
    /// JSON that is not a request.
    package static func invalidRequest(_ message: String) -> RPCError {
        RPCError(code: -32600, name: "invalid_request", message: message)
    }
    /// A message that is larger than a client may send.
    package static func requestLimit(_ message: String) -> RPCError {
        RPCError(code: -32600, name: "limit", message: message)
    }
    /// A method that does not exist.
    package static func methodNotFound(_ method: String) -> RPCError {
        RPCError(
            code: -32601, name: "method_not_found", message: "There is no method \(Quoted.text(method)).")
    }
    /// A fault of the daemon.
    package static func internalError(_ message: String) -> RPCError {
        RPCError(code: -32603, name: "internal_error", message: message)
    }
}

extension RPCError {
    /// The error of a command that was refused.
    package init(_ failure: CommandFailure) {
        let code =
            switch failure.code {
            case .invalidParams: -32602
            case .invalidState: -32001
            case .notFound: -32002
            case .unsupported: -32003
            case .limit: -32004
            case .readOnly: -32005
            case .denied: -32006
            }
        self.init(code: code, name: failure.code.rawValue, message: failure.message)
    }

    /// The error of bytes that were no JSON, or too much of it.
    package init(_ error: JSONError) {
        switch error.kind {
        case .syntax: self = .parse("The line is \(error.message).")
        case .limit: self = .requestLimit("The line has \(error.message).")
        }
    }

    /// Reads the `error` member of a reply; what is missing becomes empty.
    package init(_ value: JSONValue) {
        var code = 0
        if case .integer(let number)? = value["code"] { code = Int(clamping: number) }
        var name = ""
        if case .string(let text)? = value["data"]?["code"] { name = text }
        var message = ""
        if case .string(let text)? = value["message"] { message = text }
        self.init(code: code, name: name, message: message)
    }
}

extension RPCError: JSONRepresentable {
    package func write(to text: inout JSONText) {
        text.append(raw: "{\"code\":")
        text.append(number: Int64(code))
        text.member("message", message)
        text.append(raw: ",\"data\":{\"code\":")
        text.append(string: name)
        text.append(raw: "}}")
    }
}
