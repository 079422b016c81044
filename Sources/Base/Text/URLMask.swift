/// Takes secrets out of a URL for showing it: user and password go, query values named like secrets become `***`.
///
/// What has no `scheme://` (a path) is shown as it is. Pure; any thread.
package enum URLMask {
    /// The URL as it may appear in replies, state and logs.
    package static func shown(_ url: String) -> String {
        guard let start = authorityStart(of: url) else { return url }
        let rest = url[start...]
        let authorityEnd = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
        let authority = rest[..<authorityEnd]
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return url[..<start] + host + masked(rest[authorityEnd...])
    }

    /// True when a query parameter of that name holds a secret, as far as its name tells.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        // Decoded, so that `%74oken` hides nothing.
        let words = words(of: PercentEncoding.decoded(name))
        return words.contains { word in
            secretWords.contains(word) || secretParts.contains { contains(word, $0) } || word.hasSuffix("key")
        }
    }

    private static let secretWords: Set<String> = [
        "auth", "code", "credential", "credentials", "hmac", "jwt", "key", "pass", "passwd", "policy", "pw",
        "pwd", "sas", "sess", "session", "sessionid", "sid", "sig", "sign", "user", "username", "login",
    ]
    private static let secretParts = ["token", "secret", "password", "signature", "oauth", "authorization"]

    private static func authorityStart(of url: String) -> String.Index? {
        guard let colon = url.firstIndex(of: ":"), colon > url.startIndex,
            url[..<colon].utf8.allSatisfy(isSchemeByte),
            url[colon...].hasPrefix("://")
        else { return nil }
        return url.index(colon, offsetBy: 3)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    /// Masks query and fragment alike: some services put their token behind the `#`.
    private static func masked(_ tail: Substring) -> String {
        guard let mark = tail.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return String(tail) }
        var result = String(tail[..<mark])
        // The Subsonic API names its password, token and salt with one letter.
        let letters: Set<Substring> = contains(result, "/rest/") ? ["p", "t", "s"] : []
        var field = tail[mark...]
        while let separator = field.first {
            result.append(separator)
            field.removeFirst()
            let end = field.firstIndex { "&;?#".contains($0) } ?? field.endIndex
            result += maskedField(field[..<end], letters)
            field = field[end...]
        }
        return result
    }

    private static func maskedField(_ field: Substring, _ letters: Set<Substring>) -> String {
        guard let equals = field.firstIndex(of: "="),
            isSecret(field[..<equals]) || letters.contains(field[..<equals])
        else { return String(field) }
        let value = field[field.index(after: equals)...]
        return value.isEmpty ? String(field) : field[...equals] + "***"
    }

    /// The words of `accessToken`, `access_token` or `X-Amz-Signature`, in lower case.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previousIsLower = false
        for character in name {
            let startsWord = character.isUppercase && previousIsLower
            if startsWord || !(character.isLetter || character.isNumber) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if character.isLetter || character.isNumber { word += character.lowercased() }
            previousIsLower = character.isLowercase
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let text = Array(text.utf8)
        let part = Array(part.utf8)
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
