package import Base

extension StreamPlaylist {
    /// Reads a playlist that `PlaylistFormat` takes for HLS.
    ///
    /// Throws why it cannot be played, also when it names what one from there may not; the message begins with `name`.
    package static func read(_ bytes: [UInt8], from origin: PlaylistOrigin, name: String)
        throws(PlaybackFailure) -> StreamPlaylist
    {
        var lines: [String] = []
        PlaylistText.forEachLine(of: bytes) { line in
            if let line { lines.append(line) }
            return true
        }
        let names = StreamNames(origin, name: name)
        if lines.contains(where: { $0.hasPrefix("#EXT-X-STREAM-INF:") }) {
            return .master(try Renditions(lines).urls(names))
        }
        var reading = MediaReading(names: names)
        for line in lines { try reading.take(line) }
        guard reading.playlist.segments.count <= mostSegments else {
            throw PlaybackFailure(
                .unsupportedFormat, "\(name) is an HLS stream of more than \(mostSegments) pieces.")
        }
        guard !reading.playlist.isComplete || !reading.playlist.segments.isEmpty else {
            throw PlaybackFailure(.empty, "\(name) is an HLS stream without a piece.")
        }
        return .media(reading.playlist)
    }
}

/// Makes URLs of what a playlist names, by the rules for all playlists.
struct StreamNames {
    private let resolver: PlaylistResolver
    let name: String

    init(_ origin: PlaylistOrigin, name: String) {
        // Local ones are rare: a name in them is a file's or a URL.
        resolver = PlaylistResolver(origin: origin, isOfURLs: true, exists: { _ in true })
        self.name = name
    }

    func url(_ text: String) throws(PlaybackFailure) -> String {
        var found: [Playlist.Member] = []
        var refusals = Refusals()
        resolver.resolve(PlaylistMember([text]), into: &found, &refusals)
        if let url = found.first?.url { return url }
        let refusal = refusals.first.first
        throw PlaybackFailure(
            refusal?.code ?? .denied,
            "\(name) is an HLS stream with a piece that is not followed: "
                + "\(refusal?.location ?? "it") \(refusal?.reason ?? "cannot be").")
    }
}

/// Reads a media playlist line by line.
struct MediaReading {
    let names: StreamNames
    private(set) var playlist = MediaPlaylist()
    private var first = 0
    private var seconds: Double?
    private var key: MediaPlaylist.Key?
    private var header: MediaPlaylist.Place?
    private var isBreak = false
    private var range: (count: Int64, start: Int64?)?
    /// Where a range without a start begins: behind the one before in the same resource.
    private var next: (url: String, offset: Int64)?

    init(names: StreamNames) { self.names = names }

    mutating func take(_ line: String) throws(PlaybackFailure) {
        guard line.hasPrefix("#") else { return try add(line) }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        let value = line[colon...].dropFirst()
        switch line[..<colon] {
        case "#EXTINF": seconds = Double(value.prefix { $0 != "," && $0 != " " })
        case "#EXT-X-TARGETDURATION": playlist.targetSeconds = Self.sane(Double(value)) ?? 10
        case "#EXT-X-MEDIA-SEQUENCE": first = max(0, min(Int(value) ?? 0, 1 << 48))
        case "#EXT-X-ENDLIST": playlist.isComplete = true
        case "#EXT-X-DISCONTINUITY": isBreak = true
        case "#EXT-X-BYTERANGE": range = Self.range(value)
        case "#EXT-X-KEY": try takeKey(AttributeList(value))
        case "#EXT-X-MAP": try takeHeader(AttributeList(value))
        default: break
        }
    }

    private mutating func add(_ name: String) throws(PlaybackFailure) {
        let url = try names.url(name)
        var segment = MediaPlaylist.Segment(
            number: first + playlist.segments.count, place: place(url),
            seconds: Self.sane(seconds) ?? playlist.targetSeconds)
        segment.header = header
        segment.isBreak = isBreak
        playlist.segments.append(segment)
        (isBreak, range, seconds) = (false, nil, nil)
    }

    private mutating func place(_ url: String) -> MediaPlaylist.Place {
        guard let (count, start) = range else { return MediaPlaylist.Place(url: url, key: key) }
        let from = start ?? (next?.url == url ? next?.offset : nil) ?? 0
        next = (url, from &+ count)
        return MediaPlaylist.Place(url: url, range: from..<from &+ count, key: key)
    }

    private mutating func takeKey(_ attributes: AttributeList) throws(PlaybackFailure) {
        let method = attributes["METHOD"] ?? ""
        if method == "NONE" {
            key = nil
            return
        }
        guard method == "AES-128", (attributes["KEYFORMAT"] ?? "identity") == "identity",
            let name = attributes["URI"]
        else {
            throw PlaybackFailure(
                .unsupportedFormat,
                "\(names.name) is encrypted by \(method.prefix(20)), which cannot be undone; AES-128 can.")
        }
        key = MediaPlaylist.Key(url: try names.url(name), vector: attributes.bytes("IV", count: 16))
    }

    private mutating func takeHeader(_ attributes: AttributeList) throws(PlaybackFailure) {
        guard let name = attributes["URI"] else { return }
        let range = attributes["BYTERANGE"].flatMap { Self.range($0[...]) }
        let from = range?.start ?? 0
        let new = MediaPlaylist.Place(
            url: try names.url(name), range: range.map { from..<from &+ $0.count }, key: key)
        // What follows another header is another stream.
        if header != nil, header != new { isBreak = true }
        header = new
    }

    private static func range(_ text: Substring) -> (count: Int64, start: Int64?)? {
        let parts = text.split(separator: "@", maxSplits: 1).map { Int64($0) }
        let sane: ClosedRange<Int64> = 0...1 << 48
        guard let first = parts.first, let count = first, sane.contains(count) else { return nil }
        guard parts.count > 1 else { return (count, nil) }
        guard let start = parts[1], sane.contains(start) else { return nil }
        return (count, start)
    }

    private static func sane(_ seconds: Double?) -> Double? {
        guard let seconds, seconds.isFinite, seconds > 0 else { return nil }
        return min(seconds, 3600)
    }
}
