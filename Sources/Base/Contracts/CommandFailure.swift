/// Why a command was refused; becomes the error of its reply.
package struct CommandFailure: Error, Equatable, Sendable {
    /// The stable names of the protocol; `invalidParams` is JSON-RPC's own -32602.
    package enum Code: String, Sendable, CaseIterable {
        case invalidParams = "invalid_params"
        case invalidState = "invalid_state"
        case notFound = "not_found"
        case unsupported, limit
        case readOnly = "read_only"
        case denied
    }

    package let code: Code
    /// One sentence for a person that names what was wrong: the parameter, its value, what is allowed.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
