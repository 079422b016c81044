package import Base

/// Takes ID3 tags out of packed audio (RFC 8216, section 3.4): at the start of a piece, and between frames of ADTS.
package struct PackedTags {
    /// A longer tag is none.
    private static let longest = 1 << 20

    /// Bytes of sound that were let through.
    private var offset: Int64 = 0
    private var rest: [UInt8] = []
    /// Bytes of a frame that are still to come.
    private var frameBytes = 0
    /// False once the bytes are neither tags nor ADTS: then all of them are let through.
    private var isLookedAt = true

    package init() {}

    /// Another piece begins.
    package mutating func beginPiece() -> (sound: [UInt8], tags: [TimedMetadata]) {
        let before = end()
        isLookedAt = true
        frameBytes = 0
        return before
    }

    /// What is held back.
    package mutating func end() -> (sound: [UInt8], tags: [TimedMetadata]) {
        defer { rest = [] }
        offset += Int64(rest.count)
        return (rest, [])
    }

    /// The sound of these bytes and the tags among it, with their offsets in all of the sound.
    package mutating func take(_ bytes: some Collection<UInt8>) -> (sound: [UInt8], tags: [TimedMetadata]) {
        rest += bytes
        var sound: [UInt8] = []
        var tags: [TimedMetadata] = []
        var start = 0
        while start < rest.count {
            let count = next(at: start)
            if count == 0 { break }
            if count > 0 {
                sound += rest[start..<start + count]
                start += count
            } else {
                if let tag = metadata(Array(rest[start..<start - count]), offset + Int64(sound.count)) {
                    tags.append(tag)
                }
                start -= count
            }
        }
        rest.removeFirst(start)
        offset += Int64(sound.count)
        return (sound, tags)
    }

    /// Bytes of sound that come next, or those of a tag as a negative number; 0 when more must come.
    private mutating func next(at start: Int) -> Int {
        let here = rest.count - start
        if !isLookedAt { return here }
        if frameBytes > 0 {
            let count = min(here, frameBytes)
            frameBytes -= count
            return count
        }
        if here < ID3v2.headerBytes { return 0 }
        let head = Array(rest[start..<start + ID3v2.headerBytes])
        if let tag = ID3v2.bytes(head), tag <= Self.longest { return here < tag ? 0 : -tag }
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
        if head[0] == 0xFF, head[1] & 0xF6 == 0xF0, length > 7 {
            frameBytes = length
        } else {
            isLookedAt = false
        }
        return next(at: start)
    }

    private func metadata(_ bytes: [UInt8], _ offset: Int64) -> TimedMetadata? {
        guard let fields = ID3v2(bytes)?.tags(withPicture: false).fields, !fields.isEmpty else { return nil }
        return TimedMetadata(source: .id3, fields: fields, offset: offset)
    }
}
