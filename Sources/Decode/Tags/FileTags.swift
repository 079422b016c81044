package import Base

/// What a file tells of itself without being decoded: its tags, and how long it is. Any thread that may wait for the
/// disk.
package struct FileTags: Equatable, Sendable {
    /// Without the picture.
    package private(set) var tags = Tags()
    /// In seconds; nil when unknown.
    package private(set) var duration: Double?

    /// Enough for the usual tag and the first frames behind it.
    private static let headBytes = 8 << 10
    /// Larger tags are read so far: what stands behind a picture of that size is left out.
    private static let largestTag = 4 << 20
    private static let mostTags = 8
    /// A tag with a cover beyond that is left alone.
    private static let largestCover = 32 << 20

    /// Reads a file that is open. Nil when it is no MPEG audio, or cannot be read.
    package init?(descriptor: Int32, size: Int64) {
        let reader = FileReader(descriptor)
        guard var head = reader.bytes(at: 0, count: Self.headBytes) else { return nil }
        var position: Int64 = 0
        for _ in 0..<Self.mostTags {
            guard let count = Self.tagBytes(head) else { break }
            readTag(count, head, at: position, reader)
            position += Int64(count)
            let rest = head.count - count
            if rest > ContentProbe.leastBytes {
                head.removeFirst(count)
            } else {
                guard let next = reader.bytes(at: position, count: Self.headBytes) else { return nil }
                head = next
            }
        }
        guard let tail = TailTags.read(reader, length: size) else { return nil }
        tags.fill(from: tail.tags)
        guard let index = Self.firstFrame(&head, at: position, reader) else { return nil }
        duration = Self.duration(head, frame: index, soundBytes: tail.soundEnd - position - Int64(index))
    }

    /// The front cover in the tag of a file that is open; nil where there is none.
    package static func picture(descriptor: Int32) -> Tags.Picture? {
        let reader = FileReader(descriptor)
        guard let head = reader.bytes(at: 0, count: headBytes), let count = ID3v2.bytes(head),
            count <= largestCover,
            let bytes = reader.bytes(at: 0, count: count)
        else { return nil }
        return ID3v2(bytes)?.tags.picture
    }

    /// Where the sound begins of a file that is open: behind the tags at its start. Nil when it cannot be read.
    package static func soundStart(descriptor: Int32) -> Int64? {
        let reader = FileReader(descriptor)
        var position: Int64 = 0
        for _ in 0..<mostTags {
            guard let head = reader.bytes(at: position, count: headBytes) else { return nil }
            guard let count = tagBytes(head) else { break }
            position += Int64(count)
        }
        return position
    }

    private static func tagBytes(_ head: [UInt8]) -> Int? {
        if let count = ID3v2.bytes(head) { return count }
        let ape = unsafe head.withUnsafeBytes { unsafe APETag(header: $0) }
        return ape.map { $0.bytesAfterHeader + APETag.headerBytes }
    }

    private mutating func readTag(_ count: Int, _ head: [UInt8], at position: Int64, _ reader: FileReader) {
        let wanted = min(count, Self.largestTag)
        let bytes =
            wanted <= head.count ? Array(head.prefix(wanted)) : reader.bytes(at: position, count: wanted)
        guard let bytes, let tag = ID3v2(bytes) else { return }
        tags.fill(from: tag.tags(withPicture: false))
    }

    private static func firstFrame(_ head: inout [UInt8], at position: Int64, _ reader: FileReader) -> Int? {
        var kind = ContentProbe.kind(of: head, isComplete: head.count < headBytes / 2)
        if kind == nil {
            guard let more = reader.bytes(at: position, count: ContentProbe.window) else { return nil }
            head = more
            kind = ContentProbe.kind(of: head, isComplete: true)
        }
        guard case .mpegAudio(let index)? = kind else { return nil }
        return index
    }

    /// In seconds, by the headers that encoders write, else by the first frame's bit rate.
    private static func duration(_ bytes: [UInt8], frame: Int, soundBytes: Int64) -> Double? {
        guard let header = MPEGFrameHeader(bytes, at: frame) else { return nil }
        var opening = MPEGOpening()
        opening.readXing(bytes, frame: frame)
        var samples: Double
        if let vbri = VBRIHeader(bytes, frame: frame), vbri.frames > 0 {
            samples = Double(vbri.frames) * Double(header.samples) - Double(vbri.delay)
        } else if opening.xingFrames > 0 {
            samples = Double(opening.xingFrames) * Double(header.samples)
            samples -= Double(EncoderDelay.samples(bytes, frame: frame, header))
        } else if let mean = header.meanBytes, soundBytes > 0 {
            samples = Double(soundBytes) / mean * Double(header.samples)
        } else {
            return nil
        }
        return samples > 0 ? samples / Double(header.sampleRate) : nil
    }
}
