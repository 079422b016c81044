/// The size of an ID3v2 tag by its ten-byte header. Source: https://id3.org/id3v2.4.0-structure section 3.1
enum ID3v2Skip {
    static let headerBytes = 10

    /// Bytes of the whole tag, header and footer counted; nil when the bytes do not begin with one.
    static func bytes(_ header: [UInt8]) -> Int? {
        guard header.count >= headerBytes, header.starts(with: "ID3".utf8), header[3] < 0xFF,
            header[4] < 0xFF,
            header[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let size = header[6..<10].reduce(0) { $0 << 7 | Int($1) }
        let footer = header[3] == 4 && header[5] & 0x10 != 0 ? headerBytes : 0
        return headerBytes + size + footer
    }
}
