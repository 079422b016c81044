/// All credentials that the configuration gives, by origin; a value, read when a resource is opened.
package struct CredentialStore: Equatable, Sendable {
    private var origins: [Origin: OriginCredentials] = [:]
    /// From `.netrc`, which knows hosts only.
    private var hosts: [String: OriginCredentials.Login] = [:]

    package init() {}

    /// Adds what an origin gets; what is there already stays, as the first source counts.
    package mutating func add(_ credentials: OriginCredentials, for origin: Origin) {
        if origins[origin] == nil { origins[origin] = credentials }
    }

    /// Adds the entries of a `.netrc`; the first of a host counts.
    package mutating func add(_ netrc: Netrc) {
        for entry in netrc.entries where hosts[entry.host] == nil { hosts[entry.host] = entry.login }
    }

    /// How many origins and hosts there are.
    package var count: Int { origins.count + hosts.count }

    /// What goes with a request to an origin; nil for nothing.
    ///
    /// A `.netrc` does not say how its hosts may be talked to, so without TLS its password goes out only where
    /// the user named the origin (`isNamed`), never after a redirect.
    package func credentials(for origin: Origin, isNamed: Bool) -> OriginCredentials? {
        if let own = origins[origin] { return own }
        guard isNamed || origin.scheme == "https" else { return nil }
        guard let login = hosts["\(origin.host):\(origin.port)"] ?? hosts[origin.host] else { return nil }
        var credentials = OriginCredentials()
        credentials.login = login
        return credentials
    }
}

extension CredentialStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says nothing of what it holds but how much.
    package var description: String { "credentials for \(count) origins" }
    package var debugDescription: String { description }
    /// Nothing, so that no dump shows a secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
