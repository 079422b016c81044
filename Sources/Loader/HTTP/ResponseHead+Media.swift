import Base

extension ResponseHead {
    /// The media type without parameters, in lower case.
    var contentType: String? {
        guard let value = self["content-type"] else { return nil }
        let type = value.prefix { $0 != ";" && $0 != "," }.filter { !$0.isWhitespace }.lowercased()
        return type.isEmpty || type.utf8.count > 128 ? nil : type
    }

    /// Bytes of sound between two metadata blocks; nil when there are none.
    var metadataInterval: Int? {
        // "16000", and from some servers "16000, 16000".
        self["icy-metaint"].flatMap { Int($0.prefix { $0 != "," && $0 != " " }) }
            .flatMap { (1...1 << 30).contains($0) ? $0 : nil }
    }

    /// True for a stream without an end: it speaks ICY or names a streaming server, and tells no length.
    var isLive: Bool {
        if metadataInterval != nil { return true }
        if contentLength == nil, tellsEndless { return true }
        guard contentLength == nil, contentRange == nil else { return false }
        let server = self["server"]?.lowercased() ?? ""
        let isStations = server.hasPrefix("icecast") || server.hasPrefix("shoutcast")
        // What serves stations serves lists of them, too, and tells no length of those either.
        return isICY || isStations && !isTypeOfList
            || ["icy-name", "icy-br", "icy-genre", "icy-url", "icy-pub", "ice-audio-info"].contains {
                self.bytes($0) != nil
            }
    }

    /// The bytes of the whole resource; nil when unknown or endless.
    var wholeLength: Int64? {
        guard status == 206, !isEncoded else { return contentLength }
        return contentRange?.total.flatMap { $0 <= Self.longestBody ? $0 : nil }
    }

    /// True for a length that is none: the largest number there is, or near it.
    private var tellsEndless: Bool {
        max(number("content-length") ?? 0, contentRange?.total ?? 0) > Self.longestBody
    }

    /// True for what people read in place of sound, such as a page to log in at.
    var isPage: Bool { contentType == "text/html" || contentType == "application/xhtml+xml" }

    /// How long the server wants to be left alone (RFC 9110, section 10.2.3); nil when it did not say.
    func retryAfter(now: Double) -> Duration? {
        guard let value = self["retry-after"] else { return nil }
        let seconds = number("retry-after").map { Double($0) } ?? HTTPDate.unixTime(value).map { $0 - now }
        return seconds.map { .seconds(clamping: max(0, $0)) }
    }

    /// True for media types of text and of playlists.
    private var isTypeOfList: Bool {
        guard let contentType else { return false }
        return contentType.hasPrefix("text/")
            || ["mpegurl", "mpeg-url", "scpls", "xspf", "xml", "asf", "asx"].contains {
                contentType.contains($0)
            }
    }

    /// What a station says of itself; nil when it says nothing.
    func station(_ charset: Charset) -> StationInformation? {
        let text = { (name: String) -> String? in
            guard let bytes = self.bytes(name), !bytes.isEmpty, bytes.count <= 1024 else { return nil }
            return charset.shown(bytes[...])
        }
        // "128", and from some servers "128, 128".
        let kilobits = self["icy-br"].flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        let station = StationInformation(
            name: text("icy-name"), genre: text("icy-genre"), website: text("icy-url"),
            bitrate: (1...100_000).contains(kilobits) ? kilobits * 1000 : nil)
        return station == StationInformation() ? nil : station
    }

    /// What tells one version of the resource from another.
    var validator: Validator {
        let isWeak = self["etag"]?.hasPrefix("W/") == true
        return Validator(
            etag: self["etag"], isWeak: isWeak, lastModified: self["last-modified"])
    }
}

/// What tells one version of a resource from another (RFC 9110, section 8.8).
struct Validator: Equatable, Sendable {
    var etag: String?
    var isWeak = false
    var lastModified: String?

    /// What an `If-Range` may name: a strong entity tag, else the date.
    var ifRange: String? { etag != nil && !isWeak ? etag : etag == nil ? lastModified : nil }

    /// True when both tell, and tell of different versions.
    func contradicts(_ other: Validator) -> Bool {
        // A proxy that compresses makes a tag weak: it names the same (RFC 9110, section 8.8.3.2, weak comparison).
        if let mine = etag, let theirs = other.etag { return Self.opaque(mine) != Self.opaque(theirs) }
        if let mine = lastModified, let theirs = other.lastModified { return mine != theirs }
        return false
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
