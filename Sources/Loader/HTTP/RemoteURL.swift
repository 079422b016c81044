import Base

/// An http(s) URL, taken apart as far as the loader needs it; holds secrets, so it is shown as `masked` only.
struct RemoteURL: Equatable, Sendable {
    /// Scheme to query, without credentials and fragment, with odd bytes encoded: what goes to curl.
    let request: String
    let origin: Origin
    /// The user and password that the URL held, decoded.
    let credentials: OriginCredentials.Login?
    /// The URL for messages and logs.
    let masked: String

    /// Reads what follows "http:" or "https:".
    init(scheme: String, rest: Substring, masked: String) throws(PlaybackFailure) {
        guard rest.hasPrefix("//") else {
            throw PlaybackFailure(.unsupportedFormat, "\(masked) lacks the // before its host.")
        }
        let body = rest.dropFirst(2)
        let end = body.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? body.endIndex
        let authority = body[..<end]
        // Some take it for a slash: whose the URL is must not depend on the reader.
        guard !authority.contains("\\") else {
            throw PlaybackFailure(.unsupportedFormat, "\(masked) has a backslash in its host.")
        }
        let at = authority.lastIndex(of: "@")
        let hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard let (host, port) = Self.hostAndPort(hostAndPort) else {
            throw PlaybackFailure(.unsupportedFormat, "\(masked) has no host, or a bad port.")
        }
        let target = body[end...].prefix { $0 != "#" }
        let path = target.hasPrefix("/") ? String(target) : "/" + target
        request = "\(scheme)://\(hostAndPort)\(PercentEncoding.repaired(path))"
        origin = Origin(scheme: scheme, host: host, port: port)
        credentials = at.map { Self.credentials(authority[..<$0]) }
        self.masked = masked
    }

    /// The host, with brackets where it has some, and the port; nil when they cannot be.
    private static func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
        var host = text
        var port: Int?
        let afterBrackets = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[afterBrackets...].lastIndex(of: ":") {
            host = text[..<colon]
            let digits = text[text.index(after: colon)...]
            if !digits.isEmpty {
                guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
                port = number
            }
        }
        let odd = host.utf8.contains { $0 <= 0x20 || #""<>\^`{|}%"#.utf8.contains($0) }
        return host.isEmpty || odd ? nil : (String(host), port)
    }

    private static func credentials(_ text: Substring) -> OriginCredentials.Login {
        let colon = text.firstIndex(of: ":")
        return OriginCredentials.Login(
            user: PercentEncoding.decoded(text[..<(colon ?? text.endIndex)]),
            password: colon.map { PercentEncoding.decoded(text[text.index(after: $0)...]) } ?? "")
    }
}
