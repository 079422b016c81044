/// Hides the secrets in a URL before it is shown: user and password, and query values named like secrets.
package enum URLMask {
    static let stars: Substring = "***"

    /// The URL as it may appear in messages, logs and state.
    package static func masked(_ url: String) -> String {
        let text = withoutCredentials(url)[...]
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return String(text) }
        let isSubsonic = text[..<mark].contains("/rest/")
        var result = String(text[..<mark])
        // A fragment can hold a token just as a query does (OAuth's implicit grant).
        var separator = text[mark]
        var rest = text[text.index(after: mark)...]
        while true {
            let end = rest.firstIndex { "&;#?".contains($0) } ?? rest.endIndex
            result.append(separator)
            result += pair(rest[..<end], isSubsonic: isSubsonic)
            if end == rest.endIndex { return result }
            separator = rest[end]
            rest = rest[rest.index(after: end)...]
        }
    }

    private static func withoutCredentials(_ url: String) -> String {
        guard let slashes = url.firstRange(of: "//") else { return url }
        let authority = url[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<slashes.upperBound] + stars + url[at...])
    }

    private static func pair(_ pair: Substring, isSubsonic: Bool) -> Substring {
        guard let equals = pair.firstIndex(of: "="), equals != pair.index(before: pair.endIndex),
            isSecret(name: pair[..<equals], isSubsonic: isSubsonic)
        else { return pair }
        return pair[...equals] + stars
    }

    private static let words: Set<String> = [
        "auth", "bearer", "code", "credential", "credentials", "hash", "hmac", "jwt", "key", "md5", "pass",
        "passphrase", "passwd", "password", "policy", "pw", "pwd", "secret", "session", "sig", "sign",
        "signature", "ticket", "token",
    ]
    private static let parts = [
        "apikey", "accesskey", "authorization", "credential", "passw", "secret", "sessionid", "signature",
        "token",
    ]

    private static func isSecret(name: Substring, isSubsonic: Bool) -> Bool {
        let name = String(decoding: PercentEncoding.decoded(name.utf8), as: UTF8.self)
        let lower = name.lowercased()
        if parts.contains(where: lower.contains) { return true }
        // The Subsonic API names its password, token and salt with one letter.
        if isSubsonic, ["p", "t", "s"].contains(lower) { return true }
        var word = ""
        for character in name {
            if character.isLetter || character.isNumber {
                if character.isUppercase, word.last?.isLowercase == true {
                    if words.contains(word.lowercased()) { return true }
                    word = ""
                }
                word.append(character)
            } else {
                if words.contains(word.lowercased()) { return true }
                word = ""
            }
        }
        return words.contains(word.lowercased())
    }
}
