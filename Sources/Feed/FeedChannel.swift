import Base

/// What a feed says of itself while it is read.
struct FeedChannel {
    var title = FeedItem.Ranked<String>()
    var summary = FeedItem.Ranked<String>()
    var author = FeedItem.Ranked<String>()
    var picture = FeedItem.Ranked<String>()
    private var newURL: String?

    /// Takes what an element says that stands in no item.
    mutating func take(
        _ vocabulary: Vocabulary, _ name: String, _ text: String, parent: String, _ addresses: FeedAddresses
    ) {
        switch (vocabulary, name) {
        case (.core, "url") where parent == "image": picture.offer(addresses.url(text), rank: 1)
        case (.atom, "logo"): picture.offer(addresses.url(text), rank: 1)
        case (.atom, "icon"): picture.offer(addresses.url(text), rank: 0)
        case (.itunes, "new-feed-url"): newURL = addresses.url(text)
        case (.atom, "name") where parent == "author": author.offer(Person.name(text), rank: 1)
        case (.itunes, "author"): author.offer(Person.name(text), rank: 2)
        case (.core, "managingeditor"), (.dublinCore, "creator"), (.core, "author"):
            author.offer(Person.name(text), rank: 0)
        case (_, "title") where parent != "image":
            title.offer(PlainText.title(text), rank: vocabulary == .itunes ? 0 : 1)
        case (.core, "description") where parent != "image": summary.offer(PlainText.of(text), rank: 2)
        case (.atom, "subtitle"), (.atom, "tagline"): summary.offer(PlainText.of(text), rank: 2)
        case (.itunes, "summary"): summary.offer(PlainText.of(text), rank: 1)
        case (.itunes, "subtitle"): summary.offer(PlainText.of(text), rank: 0)
        default: break
        }
    }

    /// Gives it to the publication; items without creator or album get the feed's.
    func finish(_ publication: inout Publication) {
        publication.title = title.value
        publication.summary = summary.value
        publication.author = author.value
        publication.picture = picture.value
        publication.newURL = newURL
        for index in publication.items.indices {
            publication.items[index].album = title.value
            if publication.items[index].creators.isEmpty {
                publication.items[index].creators = author.value.map { [$0] } ?? []
            }
        }
    }
}
