import Base

/// Looks whether what came is what was wanted: servers answer with pages for people, too. A thread of its own.
enum DownloadCheck {
    /// Bytes that are looked at.
    private static let headBytes = 1024
    private static let patience = Duration.seconds(30)
    private static let pages = [
        "text/html", "application/xhtml+xml", "application/json", "application/problem+json",
    ]

    /// Why it is not what can be played; nil when it may be. Blocks while the disk is read.
    static func failure(_ bytes: any ByteSource, contentType: String?, url: String) -> PlaybackFailure? {
        guard let head = bytes.head(headBytes, until: .now + patience) else {
            return PlaybackFailure(.internal, "What came of \(url) cannot be read from the disk.")
        }
        if head.isEmpty { return PlaybackFailure(.empty, "There is nothing in \(url).") }
        let start = head.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.first
        let isPage = start == UInt8(ascii: "<") || start == UInt8(ascii: "{")
        guard isPage || contentType.map({ pages.contains($0) }) ?? false else { return nil }
        let type = contentType.map { " (\($0))" } ?? ""
        return PlaybackFailure(
            .unsupportedFormat, "\(url) gave a page\(type), no sound: it may want a login.")
    }
}
