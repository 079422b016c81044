package import Base

/// What an item is known by, as hashes: a collision would need two of 64 bits to meet within one source.
package struct ItemKeys: Equatable, Sendable {
    /// What its publisher calls it.
    package var guid: Int64?
    /// The URL of its sound, without what changes with each request.
    package var media: Int64
    /// The same without its query.
    package var place: Int64
    /// The last part of the path, without regard to case.
    package var name: Int64
    package var title: Int64
    /// Unix time; nil when unknown.
    package var date: Double?

    /// Those of an item that a document tells of.
    package init(_ item: PublishedItem) {
        let url = item.contents.first?.url ?? ""
        let guid = item.guid.map { $0.utf8.filter { $0 > 0x20 } } ?? []
        self.guid = guid.isEmpty ? nil : Self.hash(guid)
        media = Self.hash(Self.withoutNoise(url).utf8)
        place = Self.hash(Self.withoutQuery(url).utf8)
        name = Self.hash(MediaName.lastPart(of: url).lowercased().utf8)
        title = Self.hash(FoldedText.folded(item.title ?? "").utf8)
        date = item.date
    }

    init(guid: Int64?, media: Int64, place: Int64, name: Int64, title: Int64, date: Double?) {
        (self.guid, self.media, self.place, self.name, self.title, self.date) =
            (guid, media, place, name, title, date)
    }

    static func hash(_ bytes: some Sequence<UInt8>) -> Int64 { Int64(bitPattern: FNV1a.hash(bytes)) }

    // MARK: URLs

    /// Scheme and fragment never tell two items apart, nor does the case of the host.
    private static func withoutQuery(_ url: String) -> String {
        let (address, _) = parts(url)
        return address
    }

    /// The URL without query values that say who asks, when, or how long it counts.
    static func withoutNoise(_ url: String) -> String {
        let (address, query) = parts(url)
        let kept = query.split(separator: "&").filter { field in
            let name = field.prefix { $0 != "=" }
            return !noise.contains(name.lowercased()) && !name.lowercased().hasPrefix("utm_")
                && !URLMask.isSecret(name)
        }
        return kept.isEmpty ? address : address + "?" + kept.joined(separator: "&")
    }

    private static let noise: Set<String> = [
        "_", "awscollectionid", "awsepisodeid", "cachebuster", "cb", "dest-id", "expires", "expiry", "exp",
        "feed",
        "from", "nocache", "origin", "rand", "random", "ref", "referrer", "rss", "source", "src", "timestamp",
        "ts",
        "updated",
    ]

    private static func parts(_ url: String) -> (address: String, query: Substring) {
        guard url.utf8.first != UInt8(ascii: "/") else { return (url, "") }
        let whole = url.prefix { $0 != "#" }
        let address = whole.prefix { $0 != "?" }
        let query = whole.dropFirst(address.count + 1)
        guard let scheme = address.firstRange(of: "://") else { return (String(address), query) }
        let host = address[scheme.upperBound...].prefix { $0 != "/" }
        return (host.lowercased() + address[host.endIndex...], query)
    }
}
