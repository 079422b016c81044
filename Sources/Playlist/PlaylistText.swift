import Base

/// The bytes of a playlist as lines of text: any mark, any line end, any of the usual charsets.
enum PlaylistText {
    /// A line beyond this is no URL and no title, in bytes.
    static let longestLine = 16_384

    /// Calls `body` for each line that is not blank, without white space around it; nil stands for one that is too
    /// long. It returns false to end.
    static func forEachLine(of bytes: [UInt8], _ body: (String?) -> Bool) {
        let bytes = LegacyText.withoutMark(bytes)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            let line = trimmed(bytes[start..<end])
            if line.count > longestLine {
                if !body(nil) { return }
            } else if !line.isEmpty, !body(LegacyText.decoded(line)) {
                return
            }
            start = end + 1
        }
    }

    /// The whole as one text.
    static func whole(_ bytes: [UInt8]) -> String { LegacyText.decoded(LegacyText.withoutMark(bytes)) }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 || last == 0 { bytes.removeLast() }
        return bytes
    }
}
