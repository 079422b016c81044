import Base
import DecoderLink

extension StreamInformation {
    /// What the process tells, once it was checked.
    init(_ information: LinkInformation, picture: [UInt8]) {
        let told = TagText.string(information.pictureType)
        let cover =
            picture.isEmpty
            ? nil : Tags.Picture(mediaType: TagText.mediaType(of: picture, told: told), bytes: picture)
        self.init(
            format: AudioFormat(sampleRate: information.sampleRate, channels: information.channels),
            codec: TagText.string(information.codec),
            bitrate: information.bitrate > 0 ? information.bitrate : nil,
            bitsPerSample: information.bitsPerSample > 0 ? information.bitsPerSample : nil,
            frames: information.frames > 0 ? information.frames : nil,
            isEstimated: information.traits.contains(.isEstimated),
            isSeekable: information.traits.contains(.isSeekable),
            tags: Tags(information.fields, picture: cover))
        isGapless = information.traits.contains(.isGapless)
        container = TagText.string(information.container)
    }
}
