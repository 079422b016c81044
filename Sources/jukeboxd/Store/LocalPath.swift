import Base

/// Paths of local files, which are bytes, as the text by which they are kept and opened.
enum LocalPath {
    /// The path itself where it is UTF-8 without control characters, else a file URL.
    static func text(_ path: [UInt8]) -> String {
        if let text = String(validating: path, as: UTF8.self),
            !path.contains(where: { $0 < 0x20 || $0 == 0x7F })
        {
            return text
        }
        return "file://" + PercentEncoding.encoded(path, but: "/-._~!$&'()+,;=:@")
    }

    /// The bytes that such a text stands for; nil where it names something else.
    static func bytes(_ text: String) -> [UInt8]? {
        if text.utf8.first == UInt8(ascii: "/") { return Array(text.utf8) }
        guard text.hasPrefix("file:///") else { return nil }
        return PercentEncoding.decoded(text.utf8.dropFirst("file://".utf8.count))
    }
}
