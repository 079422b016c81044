/// Why an item cannot be played, or not on: what `player.error` tells.
package struct PlaybackFailure: Error, Equatable, Sendable {
    /// The stable names of the protocol.
    package enum Code: String, Sendable, CaseIterable {
        case notFound = "not_found"
        case unauthorized, forbidden, gone
        case httpError = "http_error"
        case unreachable
        case noSuchHost = "no_such_host"
        case timeout, tls
        case tooManyRedirects = "too_many_redirects"
        case unsupportedFormat = "unsupported_format"
        case corrupt, empty
        case fileNotFound = "file_not_found"
        case permission, device, offline, denied, incomplete
        case `internal`
    }

    package let code: Code
    /// One sentence for a person: what went wrong and with what. Holds no secret.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
