/// Tells what a resource is by its bytes, never by its name or media type: both lie.
enum ContentProbe {
    /// Bytes after the tags in which the first frame must come.
    static let window = 128 << 10

    /// Bytes in which headers that follow one another are found, if they are there: three of the longest frames.
    static let leastBytes = 3 * 1728 + 4

    /// Looks at the first bytes after the tags; nil when more of them are needed.
    static func kind(of bytes: [UInt8], isComplete: Bool) -> ContentKind? {
        if bytes.count < 12 && !isComplete { return nil }
        if let kind = signature(of: bytes) { return kind }
        if let frame = firstFrame(in: bytes, isComplete: isComplete) { return .mpegAudio(firstFrame: frame) }
        if bytes.count >= 512 || isComplete, let name = text(in: bytes) { return .other(name) }
        if !isComplete && bytes.count < window { return nil }
        return .unknown
    }

    // MARK: MPEG audio

    /// The first header that others follow at the right distances: two at the start or the end, else three.
    static func firstFrame(in bytes: [UInt8], isComplete: Bool) -> Int? {
        for index in 0..<max(0, bytes.count - 3) where bytes[index] == 0xFF {
            guard let header = MPEGFrameHeader(bytes, at: index) else { continue }
            let isFrame =
                header.bytes == 0
                ? isFreeFormat(header, in: bytes, at: index)
                : follows(header, in: bytes, at: index, isComplete: isComplete)
            if isFrame { return index }
        }
        return nil
    }

    private static func follows(_ first: MPEGFrameHeader, in bytes: [UInt8], at start: Int, isComplete: Bool)
        -> Bool
    {
        var header = first
        var index = start
        for count in 1...3 {
            index += header.bytes
            // A frame that fills the resource to its end, or is cut there after a whole one.
            if index + 4 > bytes.count { return isComplete && (index <= bytes.count || count > 1) }
            guard let next = MPEGFrameHeader(bytes, at: index), next.isLike(first) else {
                return start == 0 && count > 2
            }
            header = next
        }
        return true
    }

    private static func isFreeFormat(_ first: MPEGFrameHeader, in bytes: [UInt8], at start: Int) -> Bool {
        let longest = 5761
        for index in start + 24..<max(start + 24, min(bytes.count - 3, start + longest))
        where bytes[index] == 0xFF {
            guard let second = MPEGFrameHeader(bytes, at: index), second.isLike(first) else { continue }
            let distance = index - start
            // With or without a byte of padding.
            for step in [distance, distance - 1, distance + 1] {
                if let third = MPEGFrameHeader(bytes, at: index + step), third.isLike(first) { return true }
            }
        }
        return false
    }

    // MARK: Everything else

    private static let signatures: [(at: Int, bytes: [UInt8], name: String)] = [
        (0, Array("OggS".utf8), "an Ogg stream"),
        (0, Array("fLaC".utf8), "a FLAC file"),
        (4, Array("ftyp".utf8), "an MP4 file"),
        (8, Array("AIFF".utf8), "an AIFF file"),
        (8, Array("AIFC".utf8), "an AIFF file"),
        (8, Array("AVI ".utf8), "an AVI video"),
        (0, Array("wvPk".utf8), "a WavPack file"),
        (0, Array("MAC ".utf8), "a Monkey's Audio file"),
        (0, Array("MPCK".utf8), "a Musepack file"),
        (0, Array("MP+".utf8), "a Musepack file"),
        (0, Array("TTA1".utf8), "a True Audio file"),
        (0, Array("DSD ".utf8), "a DSD file"),
        (0, Array("#!AMR".utf8), "an AMR file"),
        (0, [0x30, 0x26, 0xB2, 0x75], "a Windows Media file"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska file"),
        (0, Array("FLV".utf8), "a Flash video"),
        (0, [0, 0, 1, 0xBA], "an MPEG video"),
        (0, [0, 0, 1, 0xB3], "an MPEG video"),
    ]

    private static let otherSignatures: [(at: Int, bytes: [UInt8], name: String)] = [
        (0, Array("MThd".utf8), "a MIDI file"),
        (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (0, [0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        (0, Array("GIF8".utf8), "a GIF picture"),
        (0, Array("%PDF".utf8), "a PDF document"),
        (0, [0x50, 0x4B, 3, 4], "a ZIP archive"),
        (0, [0x1F, 0x8B], "gzip-compressed data"),
        (0, [0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    private static func signature(of bytes: [UInt8]) -> ContentKind? {
        if let name = name(of: bytes, in: signatures) { return .sound(name) }
        if let name = name(of: bytes, in: otherSignatures) { return .other(name) }
        if bytes.starts(with: "RIFF".utf8), bytes.count >= 12, bytes[8..<12].elementsEqual("WAVE".utf8) {
            return isWaveOfMPEG(bytes) ? nil : .sound("a WAV file")
        }
        if isTransportStream(bytes) { return .sound("an MPEG transport stream") }
        return isADTS(bytes) ? .sound("an AAC stream") : nil
    }

    private static func name(
        of bytes: [UInt8], in signatures: [(at: Int, bytes: [UInt8], name: String)]
    ) -> String? {
        signatures.first { place, signature, _ in
            bytes.count >= place + signature.count
                && bytes[place..<place + signature.count].elementsEqual(signature)
        }?.name
    }

    /// A WAV file may hold MPEG audio: format tags 0x50 and 0x55.
    private static func isWaveOfMPEG(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 22, bytes[12..<16].elementsEqual("fmt ".utf8) else { return false }
        return bytes[21] == 0 && (bytes[20] == 0x50 || bytes[20] == 0x55)
    }

    private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
        let packet = 188
        return bytes.count > 2 * packet && [0, packet, 2 * packet].allSatisfy { bytes[$0] == 0x47 }
    }

    /// Two headers of ADTS at the right distance; they look like MPEG audio of a layer that does not exist.
    private static func isADTS(_ bytes: [UInt8]) -> Bool {
        func length(at index: Int) -> Int? {
            guard index + 7 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] & 0xF6 == 0xF0 else {
                return nil
            }
            return Int(bytes[index + 3] & 3) << 11 | Int(bytes[index + 4]) << 3 | Int(bytes[index + 5] >> 5)
        }
        // A live stream begins anywhere in a frame.
        for index in 0..<max(0, min(bytes.count, 8192) - 7) where bytes[index] == 0xFF {
            if let first = length(at: index), first > 7, let second = length(at: index + first), second > 7,
                index == 0 || length(at: index + first + second) != nil
            {
                return true
            }
        }
        return false
    }

    // MARK: Text

    private static func text(in bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return nil }
        let start = bytes.prefix(1024)
        // Text has no control characters but white space; UTF-16 begins with its mark.
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "a text" }
        if start.contains(where: { $0 < 9 || ($0 > 13 && $0 < 32 && $0 != 27) || $0 == 127 }) { return nil }
        let trimmed = start.drop { $0 <= 32 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        let head = String(decoding: trimmed, as: UTF8.self).lowercased()
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") || head.contains("<html") {
            return "an HTML page"
        }
        if head.hasPrefix("#extm3u") || head.hasPrefix("[playlist]") || head.hasPrefix("<asx") {
            return "a playlist"
        }
        if head.hasPrefix("<?xml") || head.hasPrefix("<rss") { return "an XML document" }
        if head.hasPrefix("{") || head.hasPrefix("[") { return "JSON" }
        return "a text"
    }
}
