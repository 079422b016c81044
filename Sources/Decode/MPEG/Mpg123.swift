import Base
import CMpg123
import Glibc

/// The owner of a libmpg123 handle that reads through a `SourceReader`; decodes to 32-bit floats.
///
/// Its reader callbacks are chosen over feeding: they give exact seeks by the library's own frame index, scans,
/// and tags skipped by size without copying them through a feed buffer.
@safe final class Mpg123 {
    /// What a step of decoding brought.
    @safe enum Step {
        /// Interleaved samples, valid until the next call, and the offset of their frame in the source.
        case samples(UnsafeBufferPointer<Float>, at: Int64)
        case newFormat
        case end
        /// See `reason`.
        case failed
    }

    /// How a stream is to be read.
    struct Behaviour {
        var isSeekable: Bool
        var isLive: Bool
        /// False to skip the tag at the start, however large.
        var keepsTag: Bool
    }

    // Safe because it is created and deleted by this owner only.
    private let handle: OpaquePointer
    /// Where the library's own count of bytes begins in the source.
    private let base: Int64

    /// Opens a stream; nothing is read yet. The reader must outlive this; it stands at `base`.
    init(_ reader: SourceReader, _ behaviour: Behaviour, base: Int64 = 0) throws(PlaybackFailure) {
        self.base = base
        var code: Int32 = 0
        guard let handle = unsafe mpg123_new(nil, &code) else {
            throw PlaybackFailure(
                .internal, unsafe "libmpg123: \(String(cString: mpg123_plain_strerror(code)))")
        }
        unsafe self.handle = unsafe handle
        let flags = Mpg123.flags(behaviour)
        // A frame of layer III reaches back up to 511 bytes: at 8 kb/s over a dozen frames.
        let parameters: [(mpg123_parms, Int)] = [
            (MPG123_FLAGS, flags), (MPG123_RVA, 0), (MPG123_PREFRAMES, 16),
            (MPG123_RESYNC_LIMIT, -1),
        ]
        for (parameter, value) in parameters {
            try unsafe Mpg123.check(mpg123_param2(handle, Int32(parameter.rawValue), value, 0), handle)
        }
        try unsafe Mpg123.check(mpg123_replace_reader_handle(handle, Mpg123.read, Mpg123.seek, nil), handle)
        // Safe because the reader outlives the handle and both stay on the decode thread.
        try unsafe Mpg123.check(
            mpg123_open_handle(handle, Unmanaged.passUnretained(reader).toOpaque()), handle)
    }

    deinit { unsafe mpg123_delete(handle) }

    private static func flags(_ behaviour: Behaviour) -> Int {
        // No peek at the end: over a network that is a request of its own.
        var flags = [
            MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_NO_PEEK_END, MPG123_SKIP_ID3V2,
            behaviour.isSeekable ? MPG123_FORCE_SEEKABLE : MPG123_SEEKBUFFER,
        ]
        if behaviour.isLive { flags.append(MPG123_IGNORE_STREAMLENGTH) } else { flags.append(MPG123_GAPLESS) }
        if behaviour.keepsTag { flags.append(MPG123_STORE_RAW_ID3) }
        return flags.reduce(0) { $0 | Int($1.rawValue) }
    }

    private static func check(_ code: Int32, _ handle: OpaquePointer) throws(PlaybackFailure) {
        if code == MPG123_OK.rawValue { return }
        throw PlaybackFailure(.internal, unsafe "libmpg123: \(String(cString: mpg123_strerror(handle)))")
    }

    // MARK: Callbacks

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int =
        {
            guard let user = unsafe $0, let buffer = unsafe $1 else { return -1 }
            let reader = unsafe Unmanaged<SourceReader>.fromOpaque(user).takeUnretainedValue()
            return unsafe reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: $2))
        }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, off_t, Int32) -> off_t = {
        guard let user = unsafe $0 else { return -1 }
        let reader = unsafe Unmanaged<SourceReader>.fromOpaque(user).takeUnretainedValue()
        switch $2 {
        case SEEK_SET: reader.seek(to: Int64($1))
        case SEEK_CUR: reader.seek(to: reader.offset &+ Int64($1))
        default: return -1
        }
        return off_t(reader.offset)
    }

    // MARK: Decoding

    /// The library's words for what went wrong last.
    var reason: String { unsafe String(cString: mpg123_strerror(handle)) }

    /// Where the next frame begins in the source, or soon after it.
    var offset: Int64 { unsafe Int64(mpg123_tell_stream(handle)) &+ base }

    /// Where the frame that was read last begins in the source.
    var frameOffset: Int64 { unsafe Int64(mpg123_framepos(handle)) &+ base }

    /// Sample frames of one frame of the stream.
    var samplesPerFrame: Int { unsafe max(1, Int(mpg123_spf(handle))) }

    /// The format of the next samples; reads as far as needed. Nil when there is none.
    func format() -> AudioFormat? {
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        guard unsafe mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK.rawValue,
            (1...768_000).contains(rate), (1...2).contains(channels)
        else { return nil }
        return AudioFormat(sampleRate: rate, channels: Int(channels))
    }

    /// Decodes a frame.
    func step() -> Step {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let code = unsafe mpg123_decode_frame(handle, nil, &bytes, &count)
        switch mpg123_errors(code) {
        case MPG123_OK:
            // Safe because the library's buffer holds floats and is aligned for them.
            let floats = unsafe UnsafeRawPointer(bytes)?.assumingMemoryBound(to: Float.self)
            let samples = unsafe UnsafeBufferPointer(
                start: floats, count: floats == nil ? 0 : count / MemoryLayout<Float>.size)
            return unsafe .samples(samples, at: Int64(mpg123_framepos(handle)) &+ base)
        case MPG123_NEW_FORMAT: return .newFormat
        case MPG123_DONE: return .end
        default: return .failed
        }
    }

    // MARK: Places

    /// The next sample frame.
    var position: Int { unsafe Int(mpg123_tell(handle)) }

    /// Sample frames in all as the header or a scan tells, or by the size where one was set; nil when unknown.
    var length: Int? {
        let length = unsafe Int(mpg123_length(handle))
        return length > 0 ? length : nil
    }

    /// Names the size of the sound in bytes, tags at the start counted.
    func setSize(_ bytes: Int64) { unsafe mpg123_set_filesize(handle, off_t(bytes)) }

    /// Counts the frames by reading all of them, and goes back to where it was.
    func scan() -> Bool { unsafe mpg123_scan(handle) == MPG123_OK.rawValue }

    /// Goes to a sample frame; near it when `isFuzzy`. Returns the frame that comes next; nil when it failed.
    func seek(to frame: Int, isFuzzy: Bool) -> Int? {
        let change = isFuzzy ? MPG123_ADD_FLAGS : MPG123_REMOVE_FLAGS
        unsafe mpg123_param2(handle, Int32(change.rawValue), Int(MPG123_FUZZY.rawValue), 0)
        let landed = unsafe mpg123_seek(handle, off_t(frame), SEEK_SET)
        return landed < 0 ? nil : Int(landed)
    }

    /// The last frame of the stream in the index at or before a sample frame: its number and offset.
    func indexed(before frame: Int) -> (frame: Int, offset: Int64, samples: Int)? {
        var offsets: UnsafeMutablePointer<off_t>?
        var step: off_t = 0
        var fill = 0
        let samples = unsafe Int(mpg123_spf(handle))
        guard unsafe mpg123_index(handle, &offsets, &step, &fill) == MPG123_OK.rawValue,
            let offsets = unsafe offsets, step > 0,
            fill > 0, samples > 0
        else { return nil }
        let entry = min(max(0, frame / samples / Int(step)), fill - 1)
        return unsafe (entry * Int(step), Int64(offsets[entry]), samples)
    }

    /// Where frames begin: every `step`th of them, from the first on.
    struct Index {
        let offsets: [Int64]
        let step: Int

        init(offsets: [Int64], step: Int) {
            self.offsets = offsets
            self.step = step
        }

        /// For frames that have the same size but for padding.
        init(first: Int64, bytesPerFrame: Double, frames: Int) {
            step = max(1, frames / 1000)
            // A few bytes before the frame: there the library finds it, but not the one before.
            offsets = stride(from: 0, to: frames, by: step).map { frame in
                frame == 0 ? first : first + Int64(Double(frame) * bytesPerFrame) - 4
            }
        }
    }

    /// Tells the library where frames begin, in place of what it found out.
    func setIndex(_ index: Index) {
        let offsets = index.offsets.map { off_t($0) }
        _ = unsafe offsets.withUnsafeBufferPointer { buffer in
            unsafe mpg123_set_index(
                handle, UnsafeMutablePointer(mutating: buffer.baseAddress), off_t(index.step), buffer.count)
        }
    }

    /// True while the library knows its place exactly.
    var isExact: Bool {
        var value = 0
        let code = unsafe mpg123_getstate2(handle, Int32(MPG123_ACCURATE.rawValue), &value, nil)
        return code == MPG123_OK.rawValue && value != 0
    }

    /// True when the header told how many samples the encoder added.
    var hasEncoderDelay: Bool {
        var value = 0
        let code = unsafe mpg123_getstate2(handle, Int32(MPG123_ENC_DELAY.rawValue), &value, nil)
        return code == MPG123_OK.rawValue && value >= 0
    }

    /// The layer, the bit rate of the last frame in bits a second (nil for free format), and whether it varies.
    var frameInformation: (layer: Int, bitrate: Int?, isVariable: Bool)? {
        var information = mpg123_frameinfo2()
        guard unsafe mpg123_info2(handle, &information) == MPG123_OK.rawValue else { return nil }
        let bitrate = information.bitrate > 0 ? Int(information.bitrate) * 1000 : nil
        return (Int(information.layer), bitrate, information.vbr != MPG123_CBR.rawValue)
    }

    // MARK: Tags

    /// True when a tag was read since the last `id3v2`.
    var hasNewTag: Bool { unsafe mpg123_meta_check(handle) & Int32(MPG123_NEW_ID3) != 0 }

    /// The last ID3v2 tag as it came; nil when there was none. The library then forgets it.
    func takeID3v2() -> [UInt8]? {
        var old: UnsafeMutablePointer<UInt8>?
        var new: UnsafeMutablePointer<UInt8>?
        var oldBytes = 0
        var newBytes = 0
        let code = unsafe mpg123_id3_raw(handle, &old, &oldBytes, &new, &newBytes)
        // Clears the sign of a new tag.
        unsafe mpg123_id3(handle, nil, nil)
        defer { unsafe mpg123_meta_free(handle) }
        guard code == MPG123_OK.rawValue, unsafe new != nil, newBytes > 0 else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: new, count: newBytes))
    }
}
