import CCurl

/// A scheme, host and port: what headers and passwords belong to (RFC 6454).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// "http" or "https".
    package let scheme: String
    /// In lower case; an IPv6 address in its brackets.
    package let host: String
    package let port: Int

    /// Takes a host in any case; the scheme's own port where none is given.
    init(scheme: String, host: String, port: Int?) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? (scheme == "https" ? 443 : 80)
    }

    /// Reads "scheme://host[:port]"; nil for other schemes and for anything beyond the port but a single slash.
    package init?(_ text: String) {
        guard let location = try? ResourceLocation(text), case .remote(let url) = location,
            url.credentials == nil, url.request.hasSuffix("/"), text.utf8.count(where: { $0 == 0x2f }) <= 3,
            !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "*" })
        else { return nil }
        self = url.origin
    }

    /// The origin of any URL; nil for what is not http or https.
    package init?(of url: String) {
        guard let location = try? ResourceLocation(url), case .remote(let remote) = location else {
            return nil
        }
        self = remote.origin
    }

    /// True when its host is, by its name, this machine or on its link.
    var isLocal: Bool {
        let name = host.filter { $0 != "[" && $0 != "]" }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return unsafe jb_curl_text_is_local(name) != 0
    }

    /// As it is written, without the scheme's own port.
    package var description: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return isUsual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
