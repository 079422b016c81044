import CFFmpeg
import DecoderLink

/// The sound of a resource that is open: its frames in order, and places in it.
final class Sound {
    /// The form of frames.
    struct Form: Equatable {
        var sampleRate: Int
        var channels: Int
    }

    let demuxer: Demuxer
    let codec: Codec
    /// Of the frame that is at hand.
    private(set) var form: Form
    /// Samples of the frame at hand that were taken.
    private var taken = 0
    private var hasFrame: Bool
    /// The time of the first frame, in the stream's unit.
    private let firstTime: Int64
    /// Frames up to the end, where a container tells it and the decoder does not; nil else.
    var lastFrame: Int?
    /// The next frame's place, counted.
    private var position = 0

    /// Decodes the first frame, since only that tells what all of them are.
    init(_ demuxer: Demuxer) throws(Stop) {
        self.demuxer = demuxer
        isOgg = unsafe strcmp(demuxer.context.pointee.iformat.pointee.name, "ogg") == 0
        unsafe codec = try Codec(demuxer.stream)
        hasFrame = try codec.next(from: demuxer)
        guard hasFrame else { throw .failed(.noSound) }
        form = try unsafe Self.form(of: codec.frame)
        let time = unsafe codec.frame.pointee.pts
        firstTime = time == jb_av_no_time() ? 0 : time
    }

    /// What the next samples are; nil at the end.
    func next() throws(Stop) -> Form? {
        if let lastFrame, position >= lastFrame { return nil }
        while !hasFrame {
            hasFrame = try codec.next(from: demuxer)
            guard hasFrame else { return nil }
            taken = 0
            form = try unsafe Self.form(of: codec.frame)
        }
        return form
    }

    /// Writes at most that many frames, interleaved, and returns how many; only after `next` has told their form.
    func take(_ output: UnsafeMutablePointer<Float>, atMost most: Int) throws(Stop) -> Int {
        let here = unsafe Int(codec.frame.pointee.nb_samples) - taken
        let count = min(here, most, lastFrame.map { $0 - position } ?? .max)
        guard
            unsafe jb_av_interleave(codec.frame, Int32(taken), Int32(count), Int32(form.channels), output)
        else { throw .failed(.unknownCodec) }
        skip(count)
        return count
    }

    private func skip(_ count: Int) {
        taken += count
        position += count
        hasFrame = unsafe taken < Int(codec.frame.pointee.nb_samples)
    }

    private static func form(of frame: UnsafeMutablePointer<AVFrame>) throws(Stop) -> Form {
        let form = unsafe Form(
            sampleRate: Int(frame.pointee.sample_rate), channels: Int(frame.pointee.ch_layout.nb_channels))
        guard DecoderReply.sampleRates.contains(form.sampleRate),
            DecoderReply.channelCounts.contains(form.channels)
        else { throw .failed(.unplayableFormat) }
        return form
    }

    // MARK: Places

    /// The unit of the stream's times, in seconds.
    private var unit: AVRational { unsafe demuxer.stream.pointee.time_base }

    /// True when the stream's times tell every frame from its neighbours.
    var areTimesExact: Bool {
        Int64(unit.num) * Int64(form.sampleRate) <= Int64(unit.den)
    }

    /// The frames that last for a time, in the stream's unit or another.
    func frames(in time: Int64, of other: AVRational? = nil) -> Int {
        Int(clamping: av_rescale_q(time, other ?? unit, AVRational(num: 1, den: Int32(form.sampleRate))))
    }

    /// Goes to a frame, of the form that is at hand; returns the one that comes next, and whether that is certain.
    func seek(toFrame target: Int) throws(Stop) -> (frame: Int, isExact: Bool) {
        // Some containers do not know the time at every place: then further back, at last from the start.
        for seconds in Self.distances {
            let start = max(0, target - preroll - seconds * form.sampleRate)
            guard try land(at: start) || start == 0 else { continue }
            if isOgg, start > 0, try !anchor() { continue }
            guard position <= target || start == 0 else { continue }
            while position < target, try next() != nil {
                skip(min(target - position, unsafe Int(codec.frame.pointee.nb_samples) - taken))
            }
            return (max(0, position), areTimesExact)
        }
        return (target, false)
    }

    /// Seconds before a place, in the order in which they are tried.
    private static let distances = [0, 2, 10, 60, 1 << 20]

    /// Ogg tells where sound is at the ends of pages only, and FFmpeg guesses wrongly before it came to one.
    private let isOgg: Bool

    /// Goes to the first page of Ogg behind the one at hand, where the place is certain. False at the end.
    private func anchor() throws(Stop) -> Bool {
        while let page = codec.offset {
            var last = 0
            while codec.offset == page {
                last = unsafe Int(codec.frame.pointee.nb_samples)
                hasFrame = false
                guard try next() != nil else { return false }
            }
            guard let next = codec.offset, let ended = try demuxer.reader.oggPage(at: page),
                let begun = try demuxer.reader.oggPage(at: next)
            else { return false }
            guard let granule = ended.granule else { continue }
            // A packet that lies on both pages is counted with the second.
            let place = Int(clamping: granule) - preskip - frames(in: firstTime)
            position = place + (begun.isContinued ? last : 0)
            return true
        }
        return false
    }

    /// Samples before the first one of Opus, which pages count.
    var preskip: Int {
        let parameters = unsafe demuxer.stream.pointee.codecpar.pointee
        let isCounted = unsafe isOgg && parameters.codec_id == AV_CODEC_ID_OPUS
        return unsafe isCounted ? Int(parameters.initial_padding) : 0
    }

    /// Makes the first frame at a place or before it the one at hand; false when there is none whose place is known.
    private func land(at start: Int) throws(Stop) -> Bool {
        let rate = AVRational(num: 1, den: Int32(form.sampleRate))
        guard try demuxer.seek(to: av_rescale_q(Int64(start), rate, unit) &+ firstTime) else { return false }
        codec.flush()
        hasFrame = false
        taken = 0
        position = start
        guard try next() != nil else { return false }
        let time = unsafe codec.frame.pointee.pts
        guard time != jb_av_no_time() else { return false }
        position = Int(clamping: av_rescale_q(time &- firstTime, unit, rate))
        return true
    }

    /// Frames before a place that are decoded for their sake: most codecs overlap, Opus asks for 80 ms.
    private var preroll: Int {
        let isLossless =
            unsafe codec.context.pointee.codec_descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0
        return isLossless ? 0 : form.sampleRate / 5
    }
}
