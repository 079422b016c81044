import CFFmpeg
import DecoderLink

/// A container that is open, and its stream of sound that is heard by default.
@safe final class Demuxer {
    /// Bytes and microseconds that are looked at to find out what streams there are.
    private static let most = (bytes: Int64(1 << 20), time: Int64(5_000_000))
    /// The same of a station, which is to be heard soon.
    private static let mostLive = (bytes: Int64(48 << 10), time: Int64(500_000))
    /// Times in a row that reading on after damage is tried; then that was the end.
    private static let mostFailures = 16
    private static let probedBytes: UInt32 = 256 << 10
    /// Of ID3 tags that go along with the sound, at a time, and their bytes.
    private static let mostTags = 16
    private static let longestTag: Int32 = 256 << 10

    let reader: ResourceReader
    private let link: DaemonLink
    // Safe because it is freed by `deinit` only.
    private(set) var context: UnsafeMutablePointer<AVFormatContext>
    /// The stream, which belongs to the context.
    private(set) var stream: UnsafeMutablePointer<AVStream>
    /// Not told yet.
    private var tags: [[UInt8]] = []

    /// Opens all of a resource, or a part of it.
    init(_ link: DaemonLink, _ opening: LinkOpening, _ window: Range<Int>? = nil) throws(Stop) {
        self.link = link
        reader = try ResourceReader(link, opening, window)
        let format = try unsafe Self.probe(reader, link, opening)
        var context = unsafe avformat_alloc_context()
        guard let made = unsafe context else { throw .failed(.outOfMemory) }
        unsafe made.pointee.pb = reader.context
        unsafe made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe jb_av_open_nothing_further(made)
        let most = opening.isLive ? Self.mostLive : Self.most
        unsafe made.pointee.probesize = most.bytes
        unsafe made.pointee.max_analyze_duration = most.time
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        unsafe av_dict_set(&options, "protocol_whitelist", "none", 0)
        // It frees the context when it fails.
        let code = unsafe avformat_open_input(&context, nil, format, &options)
        let mayHaveIndexAtEnd = unsafe ["mov", "caf"].contains(String(cString: format.pointee.name).prefix(3))
        let isIndexMissed = !opening.isSeekable && mayHaveIndexAtEnd && !link.isAbandoned
        guard code >= 0, let opened = unsafe context else {
            throw isIndexMissed ? .failed(.indexOutOfReach) : Self.stop(code, link)
        }
        unsafe self.context = opened
        do throws(Stop) {
            unsafe stream = try unsafe Self.defaultStream(of: opened, link)
        } catch {
            unsafe avformat_close_input(&context)
            throw isIndexMissed ? .failed(.indexOutOfReach) : error
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&context)
    }

    // MARK: Opening

    private static func probe(_ reader: ResourceReader, _ link: DaemonLink, _ opening: LinkOpening)
        throws(Stop) -> UnsafePointer<AVInputFormat>
    {
        var format: UnsafePointer<AVInputFormat>?
        let score = unsafe av_probe_input_buffer2(
            reader.context, &format, "sound." + opening.ending, nil, 0, probedBytes)
        if link.isAbandoned { throw .abandoned }
        guard score >= jb_av_probe_score(), let format = unsafe format else { throw .failed(.unknownContent) }
        if unsafe strcmp(format.pointee.name, "mp3") == 0 { throw .failed(.mpegAudio) }
        return unsafe format
    }

    private static func defaultStream(of context: UnsafeMutablePointer<AVFormatContext>, _ link: DaemonLink)
        throws(Stop) -> UnsafeMutablePointer<AVStream>
    {
        let code = unsafe avformat_find_stream_info(context, nil)
        if code < 0 { throw stop(code, link) }
        if link.isAbandoned { throw .abandoned }
        let index = unsafe av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        guard index >= 0, let stream = unsafe jb_av_stream(context, UInt32(index)) else {
            throw .failed(.noSound)
        }
        for other in 0..<(unsafe context.pointee.nb_streams) where other != index {
            if unsafe isOfTags(jb_av_stream(context, other)) { continue }
            unsafe jb_av_stream(context, other)?.pointee.discard = AVDISCARD_ALL
        }
        return unsafe stream
    }

    private static func stop(_ code: Int32, _ link: DaemonLink) -> Stop {
        if link.isAbandoned { return .abandoned }
        return .failed(code == jb_av_memory() ? .outOfMemory : .damaged)
    }

    // MARK: Packets

    /// Reads the next packet of the stream into an empty one. False at the end.
    func next(_ packet: UnsafeMutablePointer<AVPacket>) throws(Stop) -> Bool {
        var failures = 0
        while true {
            let code = unsafe av_read_frame(context, packet)
            if link.isAbandoned { throw .abandoned }
            if code == jb_av_eof() { return false }
            if code < 0 {
                failures += 1
                let isAtEnd = unsafe context.pointee.pb.pointee.eof_reached != 0
                if isAtEnd || failures > Self.mostFailures { return false }
                continue
            }
            if unsafe packet.pointee.stream_index == stream.pointee.index { return true }
            unsafe noteTag(packet)
            unsafe av_packet_unref(packet)
        }
    }

    private static func isOfTags(_ stream: UnsafeMutablePointer<AVStream>?) -> Bool {
        unsafe stream?.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_TIMED_ID3
    }

    /// Keeps an ID3 tag that goes along with the sound.
    private func noteTag(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard unsafe Self.isOfTags(jb_av_stream(context, UInt32(packet.pointee.stream_index))),
            tags.count < Self.mostTags, unsafe (1...Self.longestTag).contains(packet.pointee.size)
        else { return }
        unsafe tags.append(
            Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
    }

    /// True when there is one that was not told yet.
    var hasTag: Bool { !tags.isEmpty }

    /// The next ID3 tag that belongs to what follows; nil when there is none.
    func takeTag() -> [UInt8]? { tags.isEmpty ? nil : tags.removeFirst() }

    /// Goes to a key frame at that time of the stream or before it. False when it does not find one.
    func seek(to time: Int64) throws(Stop) -> Bool {
        reader.recover()
        let code = unsafe avformat_seek_file(
            context, stream.pointee.index, .min, time, time, 0)
        if link.isAbandoned { throw .abandoned }
        return code >= 0
    }
}
