/// What the decoder tells of a resource that it has opened; 0 stands for what is not known.
package struct LinkInformation: Equatable, Sendable {
    package var sampleRate = 0
    package var channels = 0
    /// Of the whole resource, without what the encoder added.
    package var frames = 0
    /// Bits a second.
    package var bitrate = 0
    package var bitsPerSample = 0
    package var traits: Traits = []
    /// A short name as people know it.
    package var codec: [UInt8] = []
    /// The same of what the sound lies in.
    package var container: [UInt8] = []
    package var fields = LinkFields()
    /// The media type of the picture that came before in portions.
    package var pictureType: [UInt8] = []

    package struct Traits: OptionSet, Equatable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        /// The length is worked out from the bit rate.
        package static let isEstimated = Traits(rawValue: 1)
        package static let isSeekable = Traits(rawValue: 2)
        /// What the encoder added is known and left out.
        package static let isGapless = Traits(rawValue: 4)
        /// A part of it can be decoded from any of its bytes on.
        package static let beginsAnywhere = Traits(rawValue: 8)
    }

    package init() {}

    package var bytes: [UInt8] {
        var writer = LinkTextWriter()
        for number in [sampleRate, channels, frames, bitrate, bitsPerSample, traits.rawValue] {
            writer.add(number)
        }
        for text in [codec, container, pictureType] { writer.add(text) }
        fields.write(to: &writer)
        return writer.bytes
    }

    /// Reads what the decoder wrote; nil when it is not whole or what it tells cannot be played.
    package init?(_ bytes: [UInt8]) {
        var reader = LinkTextReader(bytes)
        guard let rate = reader.number(), DecoderReply.sampleRates.contains(rate),
            let channels = reader.number(), DecoderReply.channelCounts.contains(channels),
            let frames = reader.number(), let bitrate = reader.number(), let bits = reader.number(),
            let traits = reader.number(), let codec = reader.text(), let container = reader.text(),
            let pictureType = reader.text()
        else { return nil }
        sampleRate = rate
        self.channels = channels
        self.frames = max(0, min(frames, 1 << 48))
        self.bitrate = max(0, min(bitrate, 1 << 32))
        bitsPerSample = max(0, min(bits, 64))
        self.traits = Traits(rawValue: traits)
        self.codec = codec
        self.container = container
        self.pictureType = pictureType
        fields = LinkFields(&reader)
    }
}
