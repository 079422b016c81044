import Base

/// An item of a feed while it is read: of what is said several times the best counts.
struct FeedItem {
    /// How good a source of something is; more is better.
    struct Ranked<Value> {
        private(set) var value: Value?
        private var rank = -1

        init() {}

        mutating func offer(_ value: Value?, rank: Int) {
            guard let value, rank > self.rank else { return }
            self.value = value
            self.rank = rank
        }
    }

    private struct Offer {
        var content: PublishedItem.Content
        var isDefault = false
    }

    var guid: String?
    var title = Ranked<String>()
    var summary = Ranked<String>()
    var date = Ranked<Double>()
    var duration = Ranked<Double>()
    var picture = Ranked<String>()
    var number = Ranked<Int>()
    var creators: [String] = []
    var tags: [String] = []
    var places: [PublishedItem.Place] = []
    var latitude: Double?
    var longitude: Double?
    /// The page about it, which may be the sound itself.
    var link: String?
    private var offers: [Offer] = []

    /// Adds a form in which it can be had.
    mutating func add(url: String?, mediaType: String?, size: String?, isDefault: Bool = false) {
        guard let url, !offers.contains(where: { $0.content.url == url }), offers.count < 32 else { return }
        offers.append(
            Offer(
                content: PublishedItem.Content(
                    url: url, mediaType: Self.mediaType(mediaType), size: size.flatMap(FeedNumber.size)),
                isDefault: isDefault))
    }

    mutating func add(tag: String) {
        for part in tag.split(separator: ",") {
            guard let tag = PlainText.title(String(part)), !tags.contains(tag), tags.count < 32 else {
                continue
            }
            tags.append(tag)
        }
    }

    mutating func add(creator: String?) {
        guard let creator, !creators.contains(creator), creators.count < 16 else { return }
        creators.append(creator)
    }

    mutating func add(place: PublishedItem.Place) {
        if !places.contains(place), places.count < 16 { places.append(place) }
    }

    /// A media type in lower case without parameters; nil for what is none.
    static func mediaType(_ text: String?) -> String? {
        guard let text else { return nil }
        let type = text.prefix { $0 != ";" }.description.trimmingBlanks.lowercased()
        return type.contains("/") ? type : nil
    }

    /// The item; nil when it names nothing that can be had.
    func published() -> PublishedItem? {
        var item = PublishedItem(kind: .episode)
        item.contents = contents
        guard !item.contents.isEmpty else { return nil }
        item.guid = guid
        item.title = title.value
        item.creators = creators
        item.number = number.value
        item.date = date.value
        item.duration = duration.value
        item.summary = summary.value
        item.picture = picture.value
        item.tags = tags
        item.places = places
        if let latitude, let longitude, let point = FeedNumber.coordinates(latitude, longitude),
            places.isEmpty
        {
            item.places = [PublishedItem.Place(latitude: point.latitude, longitude: point.longitude)]
        }
        return item
    }

    /// What is sound first; within that what is called the default, then the order of the document.
    private var contents: [PublishedItem.Content] {
        guard !offers.isEmpty else {
            return link.map { MediaName.isSound($0) ? [PublishedItem.Content(url: $0)] : [] } ?? []
        }
        let ranked = offers.enumerated().map { (index, offer) in
            (
                rank: Self.rank(offer.content) * 2 + (offer.isDefault ? 0 : 1), index: index,
                content: offer.content
            )
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.content)
    }

    private static func rank(_ content: PublishedItem.Content) -> Int {
        let type = content.mediaType ?? ""
        if type.hasPrefix("audio/") || MediaName.isSound(content.url) { return 0 }
        return type.hasPrefix("video/") ? 1 : type.isEmpty || type == "application/octet-stream" ? 2 : 3
    }
}
