/// What one origin gets with every request to it; nobody else ever gets any of it.
package struct OriginCredentials: Equatable, Sendable {
    /// A user and a password.
    package struct Login: Equatable, Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// A line of a request's head.
    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var login: Login?
    /// True when the login is never sent as such, but as the answer to a challenge (RFC 7616).
    package var isDigest = false
    package var bearer: String?
    package var headers: [Header] = []
    package var userAgent: String?
    package var referer: String?
    /// A file (PEM) with a certificate, and one with its key where that is not in the same file.
    package var clientCertificate: String?
    package var clientKey: String?
    /// A program, by an absolute path, and its arguments: its output is a bearer token.
    package var tokenCommand: [String]?
    /// The same: its output is the URL to load in place of the one on its input.
    package var resolverCommand: [String]?

    package init() {}

    /// Says nothing of what it holds.
    package var description: String { "credentials" }
}

extension OriginCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var debugDescription: String { description }
    /// Nothing, so that no dump shows a secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
