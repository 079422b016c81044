import Base
import Decode
import Player

/// What the engine knows of an item that is open or prepared.
final class OpenItem {
    let token: Int
    let playable: PlayableItem
    let source: any ByteSource
    var information: ContentInformation?
    var stream: StreamInformation?
    /// The format that it was last heard in, once that was another than the stream's first.
    var heardFormat: AudioFormat?
    var progress: LoadProgress?
    /// The next byte that the decoder will ask for.
    var sourceOffset: Int64 = 0
    /// True once its first frame has a place in a ring.
    var isInRing = false
    /// Every frame of it is decoded.
    var isDecoded = false
    /// Its last frame was heard.
    var isHeardOut = false
    /// Why it ends early; told when what was decoded of it is heard.
    var failure: PlaybackFailure?
    /// Why no decoder took it, while it is read as a playlist.
    var refusal: PlaybackFailure?
    /// True when its server has another version by now, of which the rest can be had.
    var isReplaced = false
    /// How often it was opened anew because of that.
    var replacements = 0
    /// From which second on this version is heard, after it took another one's place; 0 else.
    var wentOnAt = 0.0
    var throughput = Throughput()
    /// Where the seconds of a live stream lie.
    var places = LiveIndex()

    /// Where it is to begin.
    let startSeconds: Double

    init(token: Int, _ playable: PlayableItem, source: any ByteSource, at startSeconds: Double = 0) {
        self.startSeconds = startSeconds
        self.token = token
        self.playable = playable
        self.source = source
    }

    /// A seek landed: it is heard and decoded on from there.
    func goesOn() {
        isHeardOut = false
        isDecoded = false
        failure = nil
        wentOnAt = 0
    }

    /// Bytes of sound a second, by the bit rate; nil when unknown.
    private var bytesPerSecondOfSound: Double? {
        guard let bitrate = stream?.bitrate, bitrate > 0 else { return nil }
        return Double(bitrate) / 8
    }

    /// Bytes that are here from the decoder's place on, without a gap.
    private var bytesAhead: Int64 { source.bytesAvailable(from: sourceOffset) }

    /// True when the whole item is here.
    var isWhole: Bool {
        if information?.isLocal == true { return true }
        guard let length = information?.length, let ranges = progress?.ranges else { return false }
        return ranges.count == 1 && ranges[0].lowerBound == 0 && ranges[0].upperBound >= length
    }

    /// True when all bytes that will ever come, from the decoder's place on, are here.
    private var isFinished: Bool {
        if isWhole || isDecoded || progress?.isGivenUp == true { return true }
        guard let length = information?.length else { return progress?.isComplete == true }
        return sourceOffset + bytesAhead >= length
    }

    /// How much is here. `ringSeconds`: decoded and not heard yet. `aheadLimit`: bytes that the loader holds
    /// ahead of its reader at most.
    func bufferStatus(ringSeconds: Double, position: Double, aheadLimit: Int64) -> BufferStatus {
        var status = BufferStatus()
        status.secondsAhead = ringSeconds
        if let pieces = source as? any SegmentedSource {
            status.secondsAhead += pieces.secondsAhead
        } else if information?.isLocal == true {
            if let duration = stream?.duration { status.secondsAhead = max(ringSeconds, duration - position) }
        } else if let rate = bytesPerSecondOfSound {
            status.secondsAhead += Double(bytesAhead) / rate
        }
        status.totalBytes = information?.length
        status.loadedBytes = loadedBytes
        status.loadedRanges = loadedSeconds
        if information?.isLive == true { status.seekableRanges = status.loadedRanges }
        status.isWhole = isWhole
        status.isFinished = isFinished
        status.isFull =
            isFinished || bytesAhead >= aheadLimit || (source as? any SegmentedSource)?.isFull == true
        status.bytesPerSecond = throughput.bytesPerSecond
        return status
    }

    private var loadedBytes: Int64 {
        if information?.isLocal == true { return information?.length ?? 0 }
        return progress?.ranges.reduce(0) { $0 + Int64($1.count) } ?? 0
    }

    /// The loaded ranges in seconds, by the share of bytes; exact for a constant bit rate.
    private var loadedSeconds: [ClosedRange<Double>] {
        if information?.isLive == true { return heldSeconds }
        guard let duration = stream?.duration, let length = information?.length, length > 0 else { return [] }
        if isWhole { return [0...duration] }
        let scale = duration / Double(length)
        return progress?.ranges.map {
            let from = max(0, Double($0.lowerBound) * scale)
            return from...max(from, min(duration, Double($0.upperBound) * scale))
        } ?? []
    }

    /// What is kept of a live stream, in seconds since its first byte.
    private var heldSeconds: [ClosedRange<Double>] {
        guard let held = source.heldRange, places.last != nil else { return [] }
        let rate = bytesPerSecondOfSound ?? 16_000
        let from = places.seconds(at: held.lowerBound, fallback: rate)
        return [from...max(from, places.seconds(at: held.upperBound, fallback: rate))]
    }
}
