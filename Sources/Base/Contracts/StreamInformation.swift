/// What a decoder knows of an item once it is open.
package struct StreamInformation: Equatable, Sendable {
    package var format: AudioFormat
    /// A short name as people know it, such as "MP3".
    package var codec: String
    /// The same of what the sound lies in; nil for a bare stream.
    package var container: String?
    /// Bits a second: the average where known, else that of the first frames; nil when unknown.
    package var bitrate: Int?
    /// Of the source's samples, where the codec has such a thing.
    package var bitsPerSample: Int?
    /// Frames of the whole item without encoder delay and padding; nil when unknown or endless.
    package var frames: Int?
    /// True when `frames` is worked out from the bit rate of the first frames.
    package var isEstimated: Bool
    /// True when the decoder can go to any frame.
    package var isSeekable: Bool
    /// True when it is known which frames the encoder added, so that it joins its neighbours sample by sample.
    package var isGapless = false
    package var tags: Tags

    package init(
        format: AudioFormat, codec: String, bitrate: Int? = nil, bitsPerSample: Int? = nil,
        frames: Int? = nil,
        isEstimated: Bool = false, isSeekable: Bool = false, tags: Tags = Tags()
    ) {
        self.format = format
        self.codec = codec
        self.bitrate = bitrate
        self.bitsPerSample = bitsPerSample
        self.frames = frames
        self.isEstimated = isEstimated
        self.isSeekable = isSeekable
        self.tags = tags
    }

    /// The duration in seconds; nil when unknown.
    package var duration: Double? { frames.map { format.seconds(ofFrames: $0) } }
}

/// Tags as people read them; line breaks are replaced by spaces, what is not UTF-8 is repaired.
package struct Tags: Equatable, Sendable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var genre: String?
    package var date: String?
    package var track: String?
    package var replayGain = ReplayGain()
    /// All fields as they came.
    package var fields: [TimedMetadata.Field] = []
    /// The front cover's bytes as they came, and their media type.
    package var picture: Picture?

    package init() {}

    package struct Picture: Equatable, Sendable {
        package let mediaType: String
        package let bytes: [UInt8]
        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }
}
