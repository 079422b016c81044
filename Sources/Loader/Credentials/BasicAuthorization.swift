import Base

/// The `Basic` scheme of a header `Authorization` (RFC 7617).
enum BasicAuthorization {
    /// The login in a header's value; nil when it is of another scheme, or not well-formed.
    static func login(_ value: String) -> OriginCredentials.Login? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decoded(parts[1]) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), !text.utf8.contains(0) else { return nil }
        return OriginCredentials.Login(
            user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
    }
}
