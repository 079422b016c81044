import Base

/// The structure of an ID3v2 tag, versions 2.2 to 2.4: its frames with unsynchronisation undone.
/// Source: https://id3.org/id3v2.4.0-structure and https://id3.org/id3v2.3.0
///
/// libmpg123 finds and skips these tags, but reads the frames of unsynchronised 2.3 tags out of step and none of
/// version 2.2, so the frames are read here.
struct ID3v2 {
    /// A frame: its name as in version 2.3 and its content.
    struct Frame: Equatable {
        let name: String
        let content: ArraySlice<UInt8>
    }

    static let headerBytes = 10
    /// Frames beyond this number are left out.
    private static let frameLimit = 1024

    let frames: [Frame]

    /// Bytes of the whole tag, header and footer counted; nil when the bytes do not begin with one.
    static func bytes(_ header: [UInt8]) -> Int? {
        guard header.count >= headerBytes, header.starts(with: "ID3".utf8), header[3] < 0xFF,
            header[4] < 0xFF,
            header[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let footer = header[3] == 4 && header[5] & 0x10 != 0 ? headerBytes : 0
        return headerBytes + number(header[6..<10], bits: 7) + footer
    }

    /// Reads a whole tag, its header included. Nil when it is none, or of a version that is not known.
    init?(_ tag: [UInt8]) {
        guard ID3v2.bytes(tag) != nil, (2...4).contains(tag[3]) else { return nil }
        let version = Int(tag[3])
        let flags = tag[5]
        let end = min(tag.count, ID3v2.headerBytes + ID3v2.number(tag[6..<10], bits: 7))
        var body = tag[ID3v2.headerBytes..<end]
        // Up to version 2.3 the whole tag is unsynchronised, in 2.4 each frame by itself.
        if flags & 0x80 != 0, version < 4 { body = ID3v2.synchronised(body) }
        if flags & 0x40 != 0, version > 2 { body = body.dropFirst(ID3v2.extendedHeader(body, version)) }
        var reader = FrameReader(rest: body, version: version, isUnsynchronised: flags & 0x80 != 0)
        var frames: [Frame] = []
        while frames.count < ID3v2.frameLimit, let frame = reader.next() { frames.append(frame) }
        self.frames = frames
    }

    private static func extendedHeader(_ body: ArraySlice<UInt8>, _ version: Int) -> Int {
        guard body.count >= 4 else { return 0 }
        // In 2.4 the size counts itself.
        return version == 4 ? number(body.prefix(4), bits: 7) : 4 + number(body.prefix(4), bits: 8)
    }

    /// A big-endian number of up to four bytes, of which so many bits count.
    static func number(_ bytes: some Sequence<UInt8>, bits: Int) -> Int {
        bytes.reduce(0) { $0 << bits | Int($1) & (1 << bits - 1) }
    }

    /// Takes out the zeros that were put behind FF.
    static func synchronised(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var wasFF = false
        for byte in bytes {
            if !(wasFF && byte == 0) { result.append(byte) }
            wasFF = byte == 0xFF
        }
        return result[...]
    }

    /// Takes one frame after the other.
    private struct FrameReader {
        var rest: ArraySlice<UInt8>
        let version: Int
        let isUnsynchronised: Bool

        private static let renamed = [
            "TT2": "TIT2", "TP1": "TPE1", "TP2": "TPE2", "TAL": "TALB", "TCO": "TCON", "TRK": "TRCK",
            "TYE": "TYER", "TXX": "TXXX", "COM": "COMM", "PIC": "PIC", "TCM": "TCOM", "TPA": "TPOS",
        ]

        mutating func next() -> Frame? {
            let headBytes = version == 2 ? 6 : 10
            guard rest.count > headBytes else { return nil }
            let head = Array(rest.prefix(headBytes))
            let name = String(decoding: head.prefix(version == 2 ? 3 : 4), as: UTF8.self)
            guard name.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) else {
                return nil
            }
            let after = rest.dropFirst(headBytes)
            let size = contentSize(head, after)
            guard size <= after.count else { return nil }
            rest = after.dropFirst(size)
            let content = version == 2 ? after.prefix(size) : plain(after.prefix(size), head[9])
            return Frame(name: version == 2 ? Self.renamed[name] ?? name : name, content: content)
        }

        private func contentSize(_ head: [UInt8], _ after: ArraySlice<UInt8>) -> Int {
            if version == 2 { return ID3v2.number(head[3..<6], bits: 8) }
            let ordinary = ID3v2.number(head[4..<8], bits: 8)
            guard version == 4 else { return ordinary }
            let syncsafe = ID3v2.number(head[4..<8], bits: 7)
            // Some writers of 2.4 (iTunes) use ordinary sizes: whichever leads to a next frame is right.
            if head[4..<8].contains(where: { $0 >= 0x80 }) { return ordinary }
            if syncsafe != ordinary, !leadsOn(after, syncsafe), leadsOn(after, ordinary) { return ordinary }
            return syncsafe
        }

        private func leadsOn(_ after: ArraySlice<UInt8>, _ size: Int) -> Bool {
            guard size <= after.count else { return false }
            return after.dropFirst(size).prefix(4).allSatisfy {
                $0 == 0 || (48...57).contains($0) || (65...90).contains($0)
            }
        }

        /// The content behind what the flags announce; empty when it is compressed or encrypted.
        private func plain(_ content: ArraySlice<UInt8>, _ flags: UInt8) -> ArraySlice<UInt8> {
            var content = content
            if version == 3 {
                if flags & 0xC0 != 0 { return [] }
                return content.dropFirst(flags & 0x20 != 0 ? 1 : 0)
            }
            if flags & 0x0C != 0 { return [] }
            if flags & 0x40 != 0 { content = content.dropFirst(1) }
            if flags & 0x01 != 0 { content = content.dropFirst(4) }
            return flags & 0x02 != 0 || isUnsynchronised ? ID3v2.synchronised(content) : content
        }
    }
}
