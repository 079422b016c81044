/// What goes with the requests to one origin, of what the user and the configuration gave.
struct RequestCredentials: Sendable {
    /// Header lines; at most one of each name that the configuration and an item both have.
    var headers: [(String, String)] = []
    var login: OriginCredentials.Login?
    var isDigest = false
    var userAgent: String?
    var referer: String?
    var clientCertificate: String?
    var clientKey: String?
    /// Asked for a token before the request is made.
    var tokenCommand: [String]?
    /// Asked for the URL to load before the request is made.
    var resolverCommand: [String]?

    init() {}

    /// Those of the configuration.
    init(_ origin: OriginCredentials) {
        headers = origin.headers.map { ($0.name, $0.value) }
        login = origin.login
        isDigest = origin.isDigest
        userAgent = origin.userAgent
        referer = origin.referer
        clientCertificate = origin.clientCertificate
        clientKey = origin.clientKey
        tokenCommand = origin.tokenCommand
        resolverCommand = origin.resolverCommand
        if let bearer = origin.bearer { authorize("Bearer \(bearer)") }
    }

    /// Puts a header in, in place of others of its name.
    mutating func replace(_ name: String, _ value: String) {
        headers.removeAll { $0.0.lowercased() == name.lowercased() }
        headers.append((name, value))
    }

    /// Authorizes with a header, in place of any other way.
    mutating func authorize(_ value: String) {
        login = nil
        tokenCommand = nil
        replace("Authorization", value)
    }

    /// Authorizes with a user and password, in place of any other way.
    mutating func authorize(_ login: OriginCredentials.Login) {
        headers.removeAll { $0.0.lowercased() == "authorization" }
        tokenCommand = nil
        self.login = login
    }
}
