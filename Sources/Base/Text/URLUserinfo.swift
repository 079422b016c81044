/// The user and password in a URL (RFC 3986, section 3.2.1). Pure; any thread.
package enum URLUserinfo {
    /// An http(s) URL without its user and password, and the two decoded; nil where it has none.
    package static func taken(from url: String) -> (url: String, user: String, password: String)? {
        guard url.utf8.contains(UInt8(ascii: "@")), let colon = url.firstIndex(of: ":"),
            ["http", "https"].contains(url[..<colon].lowercased()), url[colon...].hasPrefix("://")
        else { return nil }
        let start = url.index(colon, offsetBy: 3)
        let end = url[start...].firstIndex { "/?#\\".contains($0) } ?? url.endIndex
        guard let at = url[start..<end].lastIndex(of: "@") else { return nil }
        let userinfo = url[start..<at]
        let middle = userinfo.firstIndex(of: ":") ?? userinfo.endIndex
        let clean = url[..<start] + url[url.index(after: at)...]
        return (
            String(clean), PercentEncoding.decoded(userinfo[..<middle]),
            PercentEncoding.decoded(userinfo[middle...].dropFirst())
        )
    }
}
