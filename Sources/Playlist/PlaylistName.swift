import Base

extension MediaName {
    /// The file's name as people know it, decoded; nil where the path has none.
    static func fileName(of url: String) -> String? {
        let part = String(lastPart(of: url))
        let isURL = url.utf8.first != UInt8(ascii: "/")
        return ShownText.line(isURL ? PercentEncoding.decodedText(part) : part)
    }
}
