import Base

/// Percent-encoding as playlists use it (RFC 3986, section 2.1).
enum PercentText {
    /// Every valid `%XX` decoded, all else as it is; Latin-1 where the result is no UTF-8.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return LegacyText.decoded(PercentEncoding.decoded(text.utf8))
    }
}
