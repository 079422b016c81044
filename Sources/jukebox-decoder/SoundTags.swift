import CFFmpeg
import DecoderLink

/// What a container tells of its sound in words and pictures.
final class SoundTags {
    /// A larger picture is no cover.
    private static let largestPicture = 16 << 20

    private let demuxer: Demuxer
    private(set) var fields: LinkFields

    init(_ demuxer: Demuxer) {
        self.demuxer = demuxer
        fields = Self.fields(of: demuxer)
    }

    /// True when the container has told something since.
    var isUpdated: Bool {
        unsafe demuxer.context.pointee.event_flags & AVFMT_EVENT_FLAG_METADATA_UPDATED != 0
            || demuxer.stream.pointee.event_flags & AVSTREAM_EVENT_FLAG_METADATA_UPDATED != 0
    }

    /// What is told now, if that is another text than before; nil else.
    func news() -> LinkFields? {
        guard isUpdated else { return nil }
        let (context, stream) = unsafe (demuxer.context, demuxer.stream)
        unsafe context.pointee.event_flags &= ~AVFMT_EVENT_FLAG_METADATA_UPDATED
        unsafe stream.pointee.event_flags &= ~AVSTREAM_EVENT_FLAG_METADATA_UPDATED
        let now = Self.fields(of: demuxer)
        if now == fields { return nil }
        fields = now
        return now
    }

    /// The stream's own before the container's.
    private static func fields(of demuxer: Demuxer) -> LinkFields {
        var fields = LinkFields()
        let dictionaries = unsafe [demuxer.stream.pointee.metadata, demuxer.context.pointee.metadata]
        for index in unsafe dictionaries.indices {
            let dictionary = unsafe dictionaries[index]
            var entry: UnsafeMutablePointer<AVDictionaryEntry>?
            while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
                unsafe entry = next
                unsafe fields.add(bytes(next.pointee.key), bytes(next.pointee.value))
            }
        }
        return fields
    }

    // Safe because FFmpeg ends its texts with a NUL.
    private static func bytes(_ text: UnsafeMutablePointer<CChar>?) -> UnsafeRawBufferPointer {
        guard let text = unsafe text else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    }

    // MARK: The picture

    private var pictureStream: UnsafeMutablePointer<AVStream>? {
        for index in 0..<(unsafe demuxer.context.pointee.nb_streams) {
            guard let stream = unsafe jb_av_stream(demuxer.context, index) else { continue }
            if unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
                unsafe (1...Self.largestPicture).contains(Int(stream.pointee.attached_pic.size))
            {
                return unsafe stream
            }
        }
        return nil
    }

    /// The bytes of the first picture; valid as long as the demuxer.
    var picture: UnsafeRawBufferPointer? {
        guard let stream = unsafe pictureStream else { return nil }
        let packet = unsafe stream.pointee.attached_pic
        return unsafe UnsafeRawBufferPointer(start: packet.data, count: Int(packet.size))
    }

    /// Its media type, as far as FFmpeg knows it.
    var pictureType: String {
        guard let stream = unsafe pictureStream else { return "" }
        switch unsafe stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_MJPEG: return "image/jpeg"
        case AV_CODEC_ID_PNG: return "image/png"
        case AV_CODEC_ID_GIF: return "image/gif"
        case AV_CODEC_ID_WEBP: return "image/webp"
        case AV_CODEC_ID_BMP: return "image/bmp"
        default: return ""
        }
    }
}
