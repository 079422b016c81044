package import Base

/// Why the control socket cannot be had.
package enum ListenError: Error, Equatable, CustomStringConvertible {
    /// Another daemon holds it; a user starts only one.
    case inUse(String)
    /// Something else lies at the path and is left alone.
    case notASocket(String)
    case system(SystemError)

    package var description: String {
        switch self {
        case .inUse(let path): "another jukeboxd already listens on \(path)"
        case .notASocket(let path): "\(path) exists and is no socket"
        case .system(let error): error.description
        }
    }
}
