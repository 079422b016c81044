import Base

/// The properties below `item`; all null when there is no current item.
final class ItemProperties {
    private let entry: Property<Int64?>
    private let url: Property<String?>
    private let title: Property<String?>
    private let artist: Property<String?>
    private let album: Property<String?>
    private let channel: Property<String?>
    private let genre: Property<String?>
    private let date: Property<String?>
    private let track: Property<String?>
    private let artwork: Property<String?>
    private let status: Property<String?>
    private let duration: Property<Double?>
    private let durationEstimated: Property<Bool?>
    private let live: Property<Bool?>
    private let seekable: Property<Bool?>
    private let cached: Property<Bool?>
    private let timedMetadata: Property<MetadataReport?>
    private let contentType: Property<String?>
    private let codec: Property<String?>
    private let bitrate: Property<Int?>
    private let sampleRate: Property<Int?>
    private let channels: Property<Int?>
    private let bitsPerSample: Property<Int?>

    private let seekableRanges: Property<TimeRanges?>
    private let loadedRanges: Property<TimeRanges?>
    private let loadedBytes: Property<Int64?>
    private let totalBytes: Property<Int64?>

    init(in table: PropertyTable) {
        entry = Property("item.entry", nil, in: table)
        url = Property("item.url", nil, in: table)
        title = Property("item.title", nil, in: table)
        artist = Property("item.artist", nil, in: table)
        album = Property("item.album", nil, in: table)
        channel = Property("item.channel", nil, in: table)
        genre = Property("item.genre", nil, in: table)
        date = Property("item.date", nil, in: table)
        track = Property("item.track", nil, in: table)
        artwork = Property("item.artwork", nil, in: table)
        status = Property("item.status", nil, in: table)
        duration = Property("item.duration", nil, in: table)
        durationEstimated = Property("item.durationEstimated", nil, in: table)
        live = Property("item.live", nil, in: table)
        seekable = Property("item.seekable", nil, in: table)
        cached = Property("item.cached", nil, in: table)
        timedMetadata = Property("item.timedMetadata", nil, in: table)
        contentType = Property("item.contentType", nil, in: table)
        codec = Property("item.codec", nil, in: table)
        bitrate = Property("item.bitrate", nil, in: table)
        sampleRate = Property("item.sampleRate", nil, in: table)
        channels = Property("item.channels", nil, in: table)
        bitsPerSample = Property("item.bitsPerSample", nil, in: table)
        seekableRanges = Property("item.seekableRanges", nil, in: table)
        loadedRanges = Property("item.loadedRanges", nil, in: table)
        loadedBytes = Property("item.loadedBytes", nil, in: table)
        totalBytes = Property("item.totalBytes", nil, in: table)
    }

    /// What the current item is called, as it was told last.
    var names: (title: String?, artist: String?, album: String?, channel: String?) {
        (title.value, artist.value, album.value, channel.value)
    }

    /// Tells what is known of the current entry, and of its opening, if it is open.
    func publish(_ current: QueueEntry?, _ item: PlayingItem?) {
        // An announcement is no entry of the queue.
        entry.value = current.flatMap { $0.id > 0 ? $0.id : nil }
        url.value = current.map { URLMask.shown($0.url) }
        publishNames(current, item)
        status.value = current.map { entry in
            if item?.stream != nil {
                "readyToPlay"
            } else {
                item == nil && entry.error != nil ? "failed" : "unknown"
            }
        }
        duration.value = item?.isLive == true ? nil : item?.duration ?? current?.duration
        durationEstimated.value = duration.value == nil ? nil : item?.isDurationEstimated ?? false
        live.value = item?.information?.isLive
        seekable.value = item?.stream == nil ? nil : item?.isSeekable
        cached.value = item?.information == nil ? nil : item?.isWhole
        timedMetadata.value = item?.metadata
        publishFormat(item)
        publishExtent(current, item)
    }

    private func publishNames(_ current: QueueEntry?, _ item: PlayingItem?) {
        let tags = item?.stream?.tags
        let given = current?.isTitleGiven == true ? current?.title : nil
        if let stream = item?.streamTitle {
            title.value = stream.title ?? given
            artist.value = stream.artist
            album.value = stream.album
        } else {
            let isLive = item?.isLive ?? false
            title.value = given ?? tags?.title ?? (isLive ? nil : current?.title)
            artist.value = tags?.artist ?? current?.artist
            album.value = tags?.album ?? current?.album
        }
        channel.value = item?.information?.station?.name
        genre.value = tags?.genre ?? item?.information?.station?.genre
        date.value = tags?.date
        track.value = tags?.track
        artwork.value = item?.artwork
    }

    private func publishFormat(_ item: PlayingItem?) {
        contentType.value = item?.information?.contentType
        codec.value = item?.stream?.codec
        bitrate.value = item?.bitrate
        sampleRate.value = item?.format?.sampleRate
        channels.value = item?.format?.channels
        bitsPerSample.value = item?.stream?.bitsPerSample
    }

    /// What the item itself tells is told at once; what a moving buffer tells only with the rest of it.
    private func publishExtent(_ current: QueueEntry?, _ item: PlayingItem?) {
        totalBytes.value = item?.buffer.totalBytes ?? item?.information?.length
        if item?.buffer.seekableRanges == nil { seekableRanges.value = Self.seekable(current, item) }
    }

    /// Tells how much is loaded; the caller sees to it that this is not too often.
    func publishLoading(_ current: QueueEntry?, _ item: PlayingItem?) {
        seekableRanges.value = Self.seekable(current, item)
        loadedRanges.value = current.map { _ in TimeRanges(item?.buffer.loadedRanges ?? []) }
        loadedBytes.value = current.map { _ in item?.buffer.loadedBytes ?? 0 }
    }

    /// True when what is loaded is not what was told last.
    func differsInLoading(_ current: QueueEntry?, _ item: PlayingItem?) -> Bool {
        guard current != nil, let buffer = item?.buffer else { return false }
        return loadedBytes.value != buffer.loadedBytes || loadedRanges.value?.ranges != buffer.loadedRanges
            || seekableRanges.value != Self.seekable(current, item)
    }

    /// True when it became known for the first time where `seek` can go: that is not held back.
    func hasFirstRanges(_ item: PlayingItem?) -> Bool {
        seekableRanges.value?.ranges.isEmpty ?? true && item?.seekableRanges.isEmpty == false
    }

    private static func seekable(_ current: QueueEntry?, _ item: PlayingItem?) -> TimeRanges? {
        current.map { _ in TimeRanges(item?.seekableRanges ?? []) }
    }
}
