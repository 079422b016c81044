import Base

/// Finds out where the sound of a resource of MPEG audio begins and ends, before libmpg123 sees it.
struct MPEGOpening {
    /// Longer tags at the start are skipped unread.
    private static let largestTag: Int64 = 24 << 20
    private static let tagLimit = 8
    /// A Xing header's bytes may be wrong by that share of them.
    private static let xingTolerance: Int64 = 50
    /// Of tags with a picture.
    private static let largestTail: Int64 = 1 << 20

    /// The first frame's offset.
    var firstFrame: Int64 = 0
    /// True when the tags at the start are of a size worth reading.
    var keepsTags = true
    /// Of the tags at the end.
    var tags = Tags()
    /// Frames and encoder delay as a VBRI header tells them.
    var vbri: VBRIHeader?
    /// Frames as a Xing header tells them; 0 when it does not.
    var xingFrames = 0
    /// Bytes of sound as it tells them, with its own frame; 0 when it does not.
    var xingBytes: Int64 = 0
    /// The places that it tells.
    var xingTable: XingTable?
    /// Bytes of each frame on average, where the header says that the bit rate is constant.
    var constantFrameBytes: Double?

    /// Reads what is needed, at least a few frames. Nil when interrupted.
    static func read(_ reader: SourceReader, from start: Int64 = 0, name: String) throws(PlaybackFailure)
        -> MPEGOpening?
    {
        var opening = MPEGOpening()
        if start == 0 { reader.keepHead() }
        guard let position = try skipTags(reader, from: start, &opening) else { return nil }
        guard let bytes = try firstBytes(reader, at: position, name) else { return nil }
        guard case .mpegAudio(let index) = ContentProbe.kind(of: bytes, isComplete: true) else { return nil }
        opening.firstFrame = position + Int64(index)
        opening.readXing(bytes, frame: index)
        if let vbri = VBRIHeader(bytes, frame: index) {
            // It is no sound, and its format need not be the sound's.
            reader.blank(opening.firstFrame..<opening.firstFrame + Int64(vbri.frameBytes))
            opening.vbri = vbri
        }
        if let information = reader.source.information, let length = information.length,
            information.isLocal || reader.source.bytesAvailable(from: 0) >= length
        {
            guard let tail = TailTags.read(reader, length: length) else { return try reader.interruption() }
            opening.tags = tail.tags
            reader.cut(at: tail.soundEnd)
        }
        reader.seek(to: start)
        return opening
    }

    /// Reads a Xing header, which lies behind the side information of the first frame; LAME names it Info when the
    /// bit rate is constant.
    mutating func readXing(_ bytes: [UInt8], frame: Int) {
        guard let header = MPEGFrameHeader(bytes, at: frame), header.layer == 3 else { return }
        let start = frame + 4 + header.sideInformationBytes
        guard start + 12 <= bytes.count, bytes[start + 7] & 1 != 0 else { return }
        let name = bytes[start..<start + 4]
        let isInfo = name.elementsEqual("Info".utf8)
        guard isInfo || name.elementsEqual("Xing".utf8) else { return }
        xingFrames = bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) }
        // Bytes in all may stand before the table.
        let tellsBytes = bytes[start + 7] & 2 != 0
        if tellsBytes, start + 16 <= bytes.count {
            xingBytes = bytes[start + 12..<start + 16].reduce(0) { $0 << 8 | Int64($1) }
        }
        let table = start + (tellsBytes ? 16 : 12)
        if bytes[start + 7] & 4 != 0, table + 100 <= bytes.count {
            xingTable = XingTable(bytes[table..<table + 100], frames: xingFrames)
        }
        // The header's own frame may have another size: the next one counts.
        if isInfo, let next = MPEGFrameHeader(bytes, at: frame + header.bytes) {
            constantFrameBytes = next.meanBytes
        }
    }

    /// True when a Xing header tells of clearly more or less sound than there is: the file was cut, or put together of
    /// several. `size`: bytes from the first frame on; `hasTail`: among them may be tags that were not looked for.
    func isXingOfOtherSound(size: Int64, hasTail: Bool) -> Bool {
        guard xingBytes > 0 else { return false }
        let most = xingBytes + xingBytes / Self.xingTolerance + (hasTail ? Self.largestTail : 0)
        return size < xingBytes - xingBytes / Self.xingTolerance || size > most
    }

    /// Leaves the tags at the start behind; returns where they end.
    static func skipTags(_ reader: SourceReader, from start: Int64, _ opening: inout MPEGOpening)
        throws(PlaybackFailure) -> Int64?
    {
        var position = start
        for _ in 0..<tagLimit {
            guard let header = reader.bytes(at: position, count: APETag.headerBytes) else {
                return try reader.interruption()
            }
            if position == 0, header.isEmpty { throw PlaybackFailure(.empty, "There is nothing in it.") }
            let ape = unsafe header.withUnsafeBytes { unsafe APETag(header: $0) }
            let tagBytes = ID3v2.bytes(header) ?? ape.map { $0.bytesAfterHeader + APETag.headerBytes }
            guard let tagBytes else { break }
            if tagBytes > largestTag { opening.keepsTags = false }
            let next = position + Int64(tagBytes)
            // Over a network the bytes come in order anyhow; a jump would cost a request.
            let mayJump =
                reader.source.information?.isLocal == true
                || reader.source.bytesAvailable(from: position) > Int64(tagBytes)
            if !mayJump, !reader.advance(to: next) {
                if let none: Int64 = try reader.interruption() { return none }
                if reader.isInterrupted { return nil }
                break
            }
            position = next
        }
        return position
    }

    /// Reads until the content is known. Throws when it is not MPEG audio.
    private static func firstBytes(_ reader: SourceReader, at position: Int64, _ name: String)
        throws(PlaybackFailure) -> [UInt8]?
    {
        guard let (kind, bytes) = try ContentProbe.kind(reader, at: position) else { return nil }
        switch kind {
        case .mpegAudio: return bytes
        case .sound(let what), .other(let what):
            throw PlaybackFailure(.unsupportedFormat, "\(name) is \(what), which cannot be played.")
        case .unknown:
            let sentence =
                position > 0 && bytes.isEmpty ? "holds only tags" : "holds no sound that is known"
            throw PlaybackFailure(.unsupportedFormat, "\(name) \(sentence).")
        }
    }
}

/// A header of Fraunhofer's encoders, in a first frame of its own: the number of frames and the encoder's delay.
struct VBRIHeader: Equatable {
    let frames: Int
    /// Bytes of the frame that holds the header.
    let frameBytes: Int
    /// Samples before the first of the recording; 0 when the value makes no sense.
    let delay: Int

    /// Reads it from the frame at an index; it lies 36 bytes into the frame, whatever the channels.
    init?(_ bytes: [UInt8], frame: Int) {
        let start = frame + 36
        guard start + 18 <= bytes.count, let header = MPEGFrameHeader(bytes, at: frame), header.bytes > 0,
            bytes[start..<start + 4].elementsEqual("VBRI".utf8)
        else {
            return nil
        }
        func number(_ at: Int, _ count: Int) -> Int {
            bytes[start + at..<start + at + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let delay = number(6, 2)
        self.delay = delay < 4608 ? delay : 0
        frames = number(14, 4)
        frameBytes = header.bytes
    }
}

extension SourceReader {
    /// Why reading stopped: nil for an interruption or the end; throws what failed.
    func interruption<T>() throws(PlaybackFailure) -> T? {
        if let failure { throw failure }
        return nil
    }
}
