package import Base

/// Why a client's call did not come to a result.
package enum ClientError: Error, Equatable, CustomStringConvertible {
    /// No socket answers; `tried` lists the paths with the reasons.
    case noDaemon(tried: [SystemError])
    /// The connection ended.
    case closed
    /// The deadline passed.
    case timedOut
    /// What came is not the protocol.
    case protocolViolation(String)
    /// The daemon said no.
    case refused(RPCError)

    package var description: String {
        switch self {
        case .noDaemon(let tried):
            "no jukeboxd answers (" + tried.map(\.description).joined(separator: "; ") + ")"
        case .closed: "the daemon closed the connection"
        case .timedOut: "timed out"
        case .protocolViolation(let text): "the daemon sent something unexpected: \(text)"
        case .refused(let error): error.message
        }
    }
}
