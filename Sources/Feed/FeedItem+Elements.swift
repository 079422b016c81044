import Base

extension FeedItem {
    /// Takes what an element says that stands in an item.
    mutating func take(
        _ vocabulary: Vocabulary, _ name: String, _ text: String, parent: String, _ addresses: FeedAddresses,
        attribute: (String) -> String?
    ) {
        switch (vocabulary, name) {
        case (.core, "guid"), (.core, "id"), (.atom, "id"): takeID(text)
        case (.core, "link"): link = addresses.url(text) ?? link
        case (_, "title"): title.offer(PlainText.title(text), rank: Self.titleRanks[vocabulary] ?? 0)
        case (.core, "pubdate"), (.atom, "published"), (.atom, "issued"):
            date.offer(FeedDate.time(text), rank: 3)
        case (.dublinCore, "date"), (.dublinCore, "issued"): date.offer(FeedDate.time(text), rank: 2)
        case (.atom, "updated"), (.atom, "modified"), (.core, "updated"), (.core, "published"):
            date.offer(FeedDate.time(text), rank: 1)
        case (.itunes, "duration"): duration.offer(FeedNumber.duration(text), rank: 1)
        case (.itunes, "episode"), (.podcast, "episode"): number.offer(FeedNumber.ordinal(text), rank: 1)
        case (.itunes, "keywords"), (.core, "category"), (.dublinCore, "subject"), (.media, "keywords"):
            add(tag: text)
        case (.itunes, "author"), (.dublinCore, "creator"), (.core, "author"), (.podcast, "person"):
            add(creator: Person.name(text))
        case (.atom, "name"), (.core, "name"): if parent == "author" { add(creator: Person.name(text)) }
        case (.podcast, "location"): takePlace(text, coordinates: attribute("geo"))
        case (.place, _): takePoint(name, text)
        default: takeSummary(vocabulary, name, text)
        }
    }

    private static let titleRanks: [Vocabulary: Int] = [
        .core: 4, .atom: 4, .itunes: 3, .dublinCore: 2, .media: 1,
    ]

    private mutating func takeID(_ text: String) {
        let id = text.trimmingBlanks
        if !id.isEmpty, id.utf8.count <= 2048 { guid = id }
    }

    private mutating func takeSummary(_ vocabulary: Vocabulary, _ name: String, _ text: String) {
        let rank: Int? =
            switch (vocabulary, name) {
            case (.core, "description"), (.atom, "summary"), (.core, "summary"): 5
            case (.itunes, "summary"): 4
            case (.content, "encoded"), (.atom, "content"), (.core, "content"): 3
            case (.media, "description"), (.dublinCore, "description"): 2
            case (.itunes, "subtitle"): 1
            default: nil
            }
        if let rank { summary.offer(PlainText.of(text), rank: rank) }
    }

    private mutating func takePlace(_ text: String, coordinates: String?) {
        let point = coordinates.flatMap(FeedNumber.coordinates)
        let address = ShownText.line(text)
        guard address != nil || point != nil else { return }
        add(
            place: PublishedItem.Place(
                address: address, latitude: point?.latitude, longitude: point?.longitude))
    }

    private mutating func takePoint(_ name: String, _ text: String) {
        switch name {
        case "point":
            guard let point = FeedNumber.coordinates(text) else { return }
            add(place: PublishedItem.Place(latitude: point.latitude, longitude: point.longitude))
        case "lat": latitude = Double(text.trimmingBlanks)
        case "long", "lon": longitude = Double(text.trimmingBlanks)
        default: break
        }
    }
}
