import CFFmpeg
import DecoderLink

/// Finds out what is told of a resource once it is open.
struct SoundDescription {
    private(set) var information = LinkInformation()
    /// Frames up to the end, where the container tells them exactly and the decoder goes on; nil else.
    private(set) var lastFrame: Int?

    init(_ sound: Sound, _ opening: LinkOpening, _ tags: SoundTags) {
        let (context, stream) = unsafe (sound.demuxer.context, sound.demuxer.stream)
        let container = unsafe String(cString: context.pointee.iformat.pointee.name)
        information.sampleRate = sound.form.sampleRate
        information.channels = sound.form.channels
        information.codec = Array(CodecName.of(sound.codec).utf8)
        information.container = unsafe Array(ContainerName.of(context.pointee.iformat).utf8)
        information.fields = tags.fields
        information.pictureType = Array(tags.pictureType.utf8)
        let parameters = unsafe stream.pointee.codecpar.pointee
        let isLossless =
            unsafe sound.codec.context.pointee.codec_descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0
        if isLossless {
            let raw = unsafe Int(parameters.bits_per_raw_sample)
            information.bitsPerSample = unsafe raw > 0 ? raw : Int(parameters.bits_per_coded_sample)
        }
        let ownRate = unsafe Int(clamping: parameters.bit_rate)
        let allRate = unsafe Int(clamping: context.pointee.bit_rate)
        information.bitrate = ownRate > 0 ? ownRate : allRate
        if !opening.isLive { tellLength(sound, container) }
        if opening.hasRanges { information.traits.insert(.isSeekable) }
        if container == "aac" || container == "mpegts" { information.traits.insert(.beginsAnywhere) }
    }

    // MARK: Length

    /// Containers that count samples, or packets of which each has so many.
    private static let counting: Set<String> = [
        "flac", "wav", "w64", "aiff", "ogg", "wv", "tta", "ape", "mpc", "mpc8", "au", "mov",
    ]

    private mutating func tellLength(_ sound: Sound, _ container: String) {
        let (context, stream) = unsafe (sound.demuxer.context, sound.demuxer.stream)
        let family = String(container.prefix { $0 != "," })
        let duration = unsafe stream.pointee.duration
        if duration != jb_av_no_time(), duration > 0 {
            information.frames = sound.frames(in: duration) - sound.preskip
        } else if unsafe context.pointee.duration > 0 {
            information.frames = unsafe sound.frames(
                in: context.pointee.duration, of: AVRational(num: 1, den: Int32(jb_av_time_base())))
        }
        let isCounted = unsafe family != "mov" || Self.hasWholeIndex(stream)
        let isExact = isCounted && Self.counting.contains(family) && sound.areTimesExact
        if isExact, unsafe context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE {
            information.traits.insert(.isGapless)
            // The decoder knows where sound ends in all of them but this one, whose edit list tells it.
            if family == "mov", information.frames > 0 { lastFrame = information.frames }
        } else {
            information.traits.insert(.isEstimated)
        }
    }

    /// False for a file in fragments, of which only the first are known at the start.
    private static func hasWholeIndex(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let count = unsafe stream.pointee.nb_frames
        return unsafe count > 0 && Int64(avformat_index_get_entries_count(stream)) >= count
    }
}
