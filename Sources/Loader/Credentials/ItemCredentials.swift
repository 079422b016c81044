import Base

/// What an item may send, and to whom: the one place that decides it.
struct ItemCredentials: Sendable {
    /// The origin of the item's own URL, the only one that gets its headers.
    let origin: Origin
    /// From the URL.
    let login: OriginCredentials.Login?
    let headers: [(String, String)]
    let store: CredentialStore

    /// Takes what the item's URL holds, the headers given with it, and the configuration's credentials.
    init(_ url: RemoteURL, headers: [(String, String)] = [], store: CredentialStore = CredentialStore()) {
        origin = url.origin
        login = url.credentials
        self.headers = headers
        self.store = store
    }

    /// What goes with a request to a URL: the item's own only to its origin, the configuration's to each its own.
    func forRequest(to url: RemoteURL) -> RequestCredentials {
        let isOwn = url.origin == origin
        let configured = store.credentials(for: url.origin, isNamed: isOwn)
        var result = configured.map { RequestCredentials($0) } ?? RequestCredentials()
        if let login = url.credentials ?? (isOwn ? login : nil) { result.authorize(login) }
        guard isOwn else { return result }
        for name in Set(headers.map { $0.0.lowercased() }) {
            result.headers.removeAll { $0.0.lowercased() == name }
            if name == "user-agent" { result.userAgent = nil }
            if name == "referer" { result.referer = nil }
        }
        for (name, value) in headers {
            if name.lowercased() != "authorization" {
                result.headers.append((name, value))
            } else if let login = BasicAuthorization.login(value) {
                result.authorize(login)
            } else {
                result.authorize(value)
            }
        }
        return result
    }

    /// What makes the set of credentials what it is, in clear: never to be shown or kept. Two items share bytes
    /// only when theirs are the same; empty without any.
    var identityFields: [String] {
        var fields: [String] = []
        if let login { fields.append(Self.field("login", login.user, login.password)) }
        for (name, value) in headers { fields.append(Self.field("header", name.lowercased(), value)) }
        if let configured = store.credentials(for: origin, isNamed: true) {
            fields += Self.fields(configured)
        }
        return fields
    }

    /// Without what only says who asks, so that another user agent costs no cached byte.
    private static func fields(_ credentials: OriginCredentials) -> [String] {
        var fields: [String] = []
        if let login = credentials.login { fields.append(field("origin login", login.user, login.password)) }
        if let bearer = credentials.bearer { fields.append(field("bearer", bearer)) }
        for header in credentials.headers {
            fields.append(field("origin header", header.name.lowercased(), header.value))
        }
        if let path = credentials.clientCertificate { fields.append(field("certificate", path)) }
        // A token lives an hour, the command that tells it stands for whom it tells it of.
        if let command = credentials.tokenCommand { fields.append(field(["token command"] + command)) }
        if let command = credentials.resolverCommand { fields.append(field(["resolver command"] + command)) }
        return fields
    }

    private static func field(_ parts: String...) -> String { field(parts) }

    /// Each part with its length, so that none can be taken for two, or for another.
    private static func field(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count) \($0)" }.joined(separator: " ")
    }

    /// True when the configuration has credentials for that origin, which is not the item's own.
    func hasOthers(for other: Origin) -> Bool {
        other != origin && store.credentials(for: other, isNamed: false) != nil
    }
}
