import Base

/// What is known of an item that is open, collected from the engine's events.
struct PlayingItem {
    let token: Int
    let entryID: Int64
    /// The item of the store that it is, until it was left or heard to its end.
    var storeID: Int64?
    /// True once it gave sound.
    var wasHeard = false
    var information: ContentInformation?
    var stream: StreamInformation?
    /// The format of what is heard, where it is another than at the start; nil where it is not.
    var heardFormat: AudioFormat?
    /// The format of what is heard, or will be first.
    var format: AudioFormat? { heardFormat ?? stream?.format }
    /// In seconds; better than the stream's own when it is there.
    var measuredDuration: Double?
    var isMeasureEstimated = false
    var buffer = BufferStatus()
    var metadata: MetadataReport?
    var streamTitle: StreamTitle?
    /// The file of its picture.
    var artwork: String?
    /// True when every frame is decoded.
    var isDecoded = false

    init(token: Int, entryID: Int64, storeID: Int64? = nil) {
        self.token = token
        self.entryID = entryID
        self.storeID = storeID
    }

    /// In seconds; nil while unknown, and for what has no end.
    var duration: Double? { isLive ? nil : measuredDuration ?? stream?.duration }

    var isDurationEstimated: Bool {
        measuredDuration == nil ? stream?.isEstimated ?? false : isMeasureEstimated
    }

    var isLive: Bool { information?.isLive ?? false }

    var isLocal: Bool { information?.isLocal ?? false }

    /// True when all of it is here.
    var isWhole: Bool { isLocal || buffer.isWhole }

    /// True when nothing more will come or need come.
    var isSettled: Bool { isWhole || buffer.isFinished || isDecoded }

    var isSeekable: Bool {
        guard let stream, stream.isSeekable else { return false }
        if isLive { return information?.isSeekable ?? false }
        return isWhole || information?.isSeekable ?? true
    }

    var bitrate: Int? { stream?.bitrate ?? information?.station?.bitrate }

    var seekableRanges: [ClosedRange<Double>] {
        if let ranges = buffer.seekableRanges { return ranges }
        guard isSeekable, let duration, duration > 0 else { return [] }
        return [0...duration]
    }

    /// Takes what an event tells of the item itself; true when it was such an event.
    mutating func note(_ event: EngineEvent) {
        switch event {
        case .information(_, let information): self.information = information
        case .opened(_, let stream): self.stream = stream
        case .format(_, let format): heardFormat = format
        case .buffer(_, let status): buffer = status
        case .lengthKnown(_, let seconds, let isEstimated):
            guard seconds.isFinite, seconds >= 0 else { return }
            measuredDuration = seconds
            isMeasureEstimated = isEstimated
        case .decoded: isDecoded = true
        default: break
        }
    }

    /// Takes metadata that are heard from that unix time on.
    mutating func note(_ metadata: TimedMetadata, at time: Double) {
        // After a seek a title may come again: that is no news.
        if let known = self.metadata?.metadata, known.source == metadata.source,
            known.fields == metadata.fields
        {
            return
        }
        self.metadata = MetadataReport(metadata: metadata, at: time)
        if let title = StreamTitle(metadata) { streamTitle = title }
    }

    /// A buffer that was measured elsewhere in the item says nothing of another place.
    mutating func forgetBuffer() {
        buffer.secondsAhead = 0
        buffer.isFinished = false
        buffer.isFull = false
        isDecoded = false
    }
}
