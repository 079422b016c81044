import CFFmpeg
import DecoderLink

/// A decoder of one stream: packets become frames.
@safe final class Codec {
    /// Packets in a row that give nothing but errors, after which it is damaged.
    private static let mostFailures = 256

    // Safe because this object frees them.
    private(set) var context: UnsafeMutablePointer<AVCodecContext>
    private var packet: UnsafeMutablePointer<AVPacket>
    private(set) var frame: UnsafeMutablePointer<AVFrame>
    private var isDraining = false
    private var failures = 0
    /// The first byte of the packet that was decoded last; nil when unknown.
    private(set) var offset: Int64?

    init(_ stream: UnsafeMutablePointer<AVStream>) throws(Stop) {
        guard let decoder = unsafe avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
            throw .failed(.unknownCodec)
        }
        guard let context = unsafe avcodec_alloc_context3(decoder), let packet = unsafe av_packet_alloc(),
            let frame = unsafe av_frame_alloc()
        else { throw .failed(.outOfMemory) }
        unsafe (self.context, self.packet, self.frame) = unsafe (context, packet, frame)
        unsafe avcodec_parameters_to_context(context, stream.pointee.codecpar)
        unsafe context.pointee.pkt_timebase = stream.pointee.time_base
        unsafe context.pointee.thread_count = 1
        guard unsafe avcodec_open2(context, decoder, nil) >= 0 else { throw .failed(.unknownCodec) }
    }

    deinit {
        var (context, packet, frame):
            (
                UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?,
                UnsafeMutablePointer<AVFrame>?
            ) =
                unsafe (context, packet, frame)
        unsafe avcodec_free_context(&context)
        unsafe av_packet_free(&packet)
        unsafe av_frame_free(&frame)
    }

    /// Decodes the next frame, of at least one sample. False at the end.
    func next(from demuxer: Demuxer) throws(Stop) -> Bool {
        while true {
            let code = unsafe avcodec_receive_frame(context, frame)
            if code == 0 {
                failures = 0
                if unsafe frame.pointee.nb_samples > 0 { return true }
                continue
            }
            if code == jb_av_eof() || isDraining { return false }
            if code != jb_av_again() { try noteFailure() }
            if try unsafe demuxer.next(packet) {
                defer { unsafe av_packet_unref(packet) }
                if unsafe packet.pointee.pos >= 0 { offset = unsafe packet.pointee.pos }
                if unsafe avcodec_send_packet(context, packet) < 0 { try noteFailure() }
            } else {
                isDraining = true
                unsafe avcodec_send_packet(context, nil)
            }
        }
    }

    private func noteFailure() throws(Stop) {
        failures += 1
        if failures > Self.mostFailures { throw .failed(.damaged) }
    }

    /// Forgets what came before a seek.
    func flush() {
        unsafe avcodec_flush_buffers(context)
        unsafe av_frame_unref(frame)
        isDraining = false
        failures = 0
    }
}
