import Base

/// Reads a catalogue: an object with `items`, or a bare list of them, as `protocol/catalogue.schema.json` describes
/// it; JSON Feed (https://www.jsonfeed.org/version/1.1/) uses the same shape with other words.
struct CatalogueReader {
    /// Forms of one item that are looked at.
    private static let mostContents = 32

    private let addresses: FeedAddresses
    private var publication = Publication()

    /// Throws when it names no items at all.
    static func read(_ value: JSONValue, _ addresses: FeedAddresses) throws(FeedError) -> Publication {
        var reader = CatalogueReader(addresses: addresses)
        try reader.read(value)
        return reader.publication
    }

    private init(addresses: FeedAddresses) { self.addresses = addresses }

    private mutating func read(_ value: JSONValue) throws(FeedError) {
        let fields = CatalogueFields(value)
        let list: [JSONValue]
        if case .array(let values) = value {
            list = values
        } else if let values = fields.list("items", "issues", "stations", "episodes", "tracks") {
            list = values
        } else {
            throw FeedError("It is a catalogue without items: an object with a list `items` is wanted.")
        }
        publication.title = fields.line("title", "name")
        publication.summary = fields.text("summary", "description")
        publication.author =
            fields.line("author", "creator", "publisher") ?? Self.names(fields.list("authors")).first
        publication.picture = fields.line("picture", "cover", "image", "icon").flatMap(addresses.url)
        for value in list.prefix(Feed.mostItems) {
            if let item = item(value) {
                publication.items.append(item)
            } else {
                publication.leftOutCount += 1
            }
        }
        publication.leftOutCount += max(0, list.count - Feed.mostItems)
    }

    private func item(_ value: JSONValue) -> PublishedItem? {
        let fields = CatalogueFields(value)
        let kind = fields.line("kind").flatMap { PublishedItem.Kind(rawValue: $0.lowercased()) }
        var item = PublishedItem(kind: kind ?? .track)
        item.contents = contents(fields)
        guard !item.contents.isEmpty else { return nil }
        item.guid = fields.line("id", "guid", "identifier")
        item.title = fields.line("title", "name")
        let creators = Self.names(fields.list("creators", "authors", "artists"))
        item.creators =
            creators.isEmpty ? fields.line("creator", "artist", "author").map { [$0] } ?? [] : creators
        item.album = fields.line("album") ?? (kind == .episode ? publication.title : nil)
        item.number = fields.number("number", "track").flatMap { FeedNumber.ordinal(String(Int64($0))) }
        item.date = fields.line("date", "date_published", "published").flatMap(FeedDate.time)
        item.duration = fields.line("duration").flatMap(FeedNumber.duration) ?? attachmentDuration(fields)
        item.summary = fields.text("summary", "description", "content_text", "content_html")
        item.picture = fields.line("picture", "cover", "image").flatMap(addresses.url)
        item.tags = (fields.list("tags", "genres") ?? []).compactMap(CatalogueFields.line).prefix(32).map {
            $0
        }
        item.places = places(fields)
        return item
    }

    private func contents(_ fields: CatalogueFields) -> [PublishedItem.Content] {
        var contents: [PublishedItem.Content] = []
        func add(_ value: JSONValue) {
            let fields = CatalogueFields(value)
            let written = CatalogueFields.line(value) ?? fields.line("url", "href")
            guard let url = written.flatMap(addresses.url), !contents.contains(where: { $0.url == url })
            else { return }
            let size = fields.number("size", "size_in_bytes", "length").flatMap {
                FeedNumber.size(String(Int64($0)))
            }
            contents.append(
                PublishedItem.Content(
                    url: url, mediaType: FeedItem.mediaType(fields.line("type", "mime_type", "mediaType")),
                    size: size))
        }
        let list = fields.list("contents", "attachments", "urls", "mirrors") ?? []
        for value in list.prefix(Self.mostContents) { add(value) }
        // The `url` of an item of JSON Feed is its page.
        let single = list.isEmpty ? fields.value("content", "stream", "url") : nil
        if let single { add(single) }
        return contents
    }

    private func attachmentDuration(_ fields: CatalogueFields) -> Double? {
        fields.list("attachments")?.first.flatMap { CatalogueFields($0).line("duration_in_seconds") }
            .flatMap(FeedNumber.duration)
    }

    private func places(_ fields: CatalogueFields) -> [PublishedItem.Place] {
        var values = fields.list("locations", "places") ?? []
        if values.isEmpty, let value = fields.value("location", "place") { values = [value] }
        let places = values.prefix(16).compactMap { value in
            let fields = CatalogueFields(value)
            return place(at: CatalogueFields.line(value) ?? fields.line("address", "name"), fields)
        }
        // Stations have their coordinates beside their name.
        return places.isEmpty ? [place(at: nil, fields)].compactMap { $0 } : places
    }

    private func place(at address: String?, _ fields: CatalogueFields) -> PublishedItem.Place? {
        var point: (latitude: Double, longitude: Double)?
        if let latitude = fields.number("latitude", "lat"),
            let longitude = fields.number("longitude", "lon", "long", "lng")
        {
            point = FeedNumber.coordinates(latitude, longitude)
        }
        guard address != nil || point != nil else { return nil }
        return PublishedItem.Place(address: address, latitude: point?.latitude, longitude: point?.longitude)
    }

    private static func names(_ values: [JSONValue]?) -> [String] {
        (values ?? []).prefix(16).compactMap { CatalogueFields.line($0) ?? CatalogueFields($0).line("name") }
    }
}
