import Base

/// What a stream of MPEG audio is, from its first frames, headers and tags.
struct MPEGDetails {
    /// Larger resources without a header are not read through for their length.
    private static let scanLimit: Int64 = 16 << 20
    /// Samples by which a decoder of layer III is late.
    private static let decoderDelay = 529
    /// A header that tells less than this many bits a second lies.
    private static let lowestBitrate = 4000.0

    private(set) var information: StreamInformation
    private(set) var trim = MPEGDecoder.Trim()
    private(set) var meanFrameBytes: Double?
    /// Bytes of every frame but for padding, and how many frames there are.
    private(set) var constant: (frameBytes: Double, frames: Int)?
    /// Where places lie in a stream of a varying rate, roughly, and in how many bytes of sound.
    private(set) var table: (places: XingTable, bytes: Int64)?

    init(_ mpg123: Mpg123, _ reader: SourceReader, _ opening: MPEGOpening, _ format: AudioFormat) {
        let content = reader.source.information ?? ContentInformation()
        information = StreamInformation(format: format, codec: "MP3")
        information.isSeekable = content.isSeekable && (content.length != nil || content.isLive)
        let size = content.length.map { max(0, min($0, reader.end) - opening.firstFrame) }
        // Without the number of frames, the library guesses by the number of bytes in the header.
        var told = content.isLive || opening.xingFrames == 0 ? nil : mpg123.length
        if let frames = told, let size,
            Double(size) * 8 / format.seconds(ofFrames: frames) < Self.lowestBitrate
        {
            told = nil
        }
        let isHere =
            content.length.map { content.isLocal || reader.source.bytesAvailable(from: 0) >= $0 } ?? false
        var share: Double?
        if let frames = told, let size, opening.isXingOfOtherSound(size: size, hasTail: !isHere) {
            share = Double(frames) * Double(size) / Double(opening.xingBytes)
            told = nil
        }
        readTags(mpg123, opening)
        if let vbri = opening.vbri, vbri.frames > 0, !content.isLive {
            useVBRI(vbri, mpg123)
        } else if let told {
            information.frames = told
            information.isGapless = mpg123.hasEncoderDelay
            useITunes(mpg123)
        } else if let length = content.length {
            let mayCount = information.isSeekable && isHere && length <= Self.scanLimit
            // All of it is read now: what was kept of the beginning would grow to the whole.
            if mayCount { reader.dropHead() }
            let isCounted = mayCount && mpg123.scan()
            if !isCounted { mpg123.setSize(min(length, reader.end)) }
            information.frames = isCounted ? mpg123.length : share.map { Int($0) } ?? mpg123.length
            information.isEstimated = !isCounted
            useITunes(mpg123)
        }
        // For places by the header's table.
        if let length = content.length { mpg123.setSize(min(length, reader.end)) }
        describe(mpg123, size)
        if let bytes = opening.constantFrameBytes, let size, told != nil {
            let expected = bytes * Double(opening.xingFrames)
            // The header may be of another file, or the rate not constant after all.
            if abs(expected / Double(size) - 1) < 0.02 { constant = (bytes, opening.xingFrames) }
        }
        if let places = opening.xingTable, let size, told != nil { table = (places, size) }
    }

    private mutating func readTags(_ mpg123: Mpg123, _ opening: MPEGOpening) {
        var tags = mpg123.takeID3v2().flatMap { ID3v2($0)?.tags } ?? Tags()
        tags.fill(from: opening.tags)
        var gain = ReplayGain(tags.fields)
        gain.fill(from: tags.replayGain)
        tags.replayGain = gain
        information.tags = tags
    }

    /// The encoder's delay is left out; the header's own frame is blanked already.
    private mutating func useVBRI(_ vbri: VBRIHeader, _ mpg123: Mpg123) {
        let samples = mpg123.samplesPerFrame
        trim.start = vbri.delay
        let frames = vbri.frames &* samples &- vbri.delay
        guard frames > 0, frames < 1 << 40 else { return }
        information.frames = frames
    }

    /// iTunes tells delay and length in a comment: " 00000000 00000210 00000A2C 000000000021F5B4 …".
    private mutating func useITunes(_ mpg123: Mpg123) {
        guard !mpg123.hasEncoderDelay,
            let text = information.tags.fields.first(where: { $0.name == "COMM:iTunSMPB" })?.value
        else { return }
        let numbers = text.split(separator: " ").prefix(4).map { Int($0, radix: 16) ?? -1 }
        guard numbers.count == 4, let total = information.frames, (0...4608).contains(numbers[1]),
            (0...4608).contains(numbers[2]), (1...1 << 40).contains(numbers[3])
        else { return }
        let told = numbers[1] + numbers[2] + numbers[3]
        // What was counted is certain; by an estimate it only shows whether the comment is of this file.
        guard
            information.isEstimated
                ? abs(Double(told) / Double(max(1, total)) - 1) < 0.05 : numbers[3] <= total
        else { return }
        trim.start = numbers[1] + Self.decoderDelay
        trim.frames = information.isEstimated ? numbers[3] : min(numbers[3], max(0, total - trim.start))
        information.frames = trim.frames
        information.isEstimated = false
        information.isGapless = true
    }

    private mutating func describe(_ mpg123: Mpg123, _ size: Int64?) {
        guard let frame = mpg123.frameInformation else { return }
        information.codec = "MP\(frame.layer)"
        information.bitrate = frame.bitrate
        guard let size, size > 0, let frames = information.frames, frames > 0 else { return }
        let seconds = information.format.seconds(ofFrames: frames)
        meanFrameBytes = Double(size) / Double(frames) * Double(mpg123.samplesPerFrame)
        let average = min(1e9, Double(size) * 8 / seconds)
        // A constant rate is told as a round number, without what headers and tags add.
        let isConstant =
            frame.bitrate.map { !frame.isVariable && abs(Double($0) / average - 1) < 0.05 } ?? false
        if !information.isEstimated, !isConstant { information.bitrate = Int(average) }
    }
}
