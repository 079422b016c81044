/// What a publisher's document offers: a podcast's feed, a catalogue, a list of stations, a list of other feeds.
package struct Publication: Equatable, Sendable {
    package var title: String?
    /// Plain text, without markup.
    package var summary: String?
    /// Who publishes it.
    package var author: String?
    /// An http(s) URL, or the path of a local file.
    package var picture: String?
    /// Where the document says that it has moved to for good.
    package var newURL: String?
    /// In the order of the document.
    package var items: [PublishedItem] = []
    /// Further documents that it names (OPML), none twice.
    package var outlines: [PublishedOutline] = []
    /// Items that were left out since they name nothing that can be had.
    package var leftOutCount = 0
    /// Why the document could not be read to its end as what it is, so that items may be missing; nil when it could.
    package var defect: String?

    package init() {}
}

/// Another document that one names.
package struct PublishedOutline: Equatable, Hashable, Sendable {
    package var url: String
    package var title: String?

    package init(url: String, title: String? = nil) {
        self.url = url
        self.title = title
    }
}

/// Something that can be heard, as its publisher tells of it.
package struct PublishedItem: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case track, episode, station, album
    }

    /// One form of what is heard.
    package struct Content: Equatable, Sendable {
        /// An http(s) URL, or an absolute path.
        package var url: String
        /// A media type in lower case without parameters, as its publisher says.
        package var mediaType: String?
        /// In bytes, as its publisher says: a hint.
        package var size: Int64?

        package init(url: String, mediaType: String? = nil, size: Int64? = nil) {
            self.url = url
            self.mediaType = mediaType
            self.size = size
        }
    }

    /// A place that an item is about, as its publisher tells of it.
    package struct Place: Equatable, Hashable, Sendable {
        package var address: String?
        /// In degrees, -90 to 90, north positive; nil together with `longitude`.
        package var latitude: Double?
        /// In degrees, -180 to 180, east positive.
        package var longitude: Double?

        package init(address: String? = nil, latitude: Double? = nil, longitude: Double? = nil) {
            self.address = address
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    package var kind: Kind
    /// What its publisher calls it by (guid, id); nil where it is not called anything.
    package var guid: String?
    /// Nil where there is none: then the file's name is shown.
    package var title: String?
    package var creators: [String] = []
    package var album: String?
    /// The place in its album, season or series.
    package var number: Int?
    /// Unix time in seconds; nil where it is not told or makes no sense.
    package var date: Double?
    /// In seconds.
    package var duration: Double?
    /// Plain text, without markup.
    package var summary: String?
    /// The best first, none twice; what is no audio is here too and is found out when it is played.
    package var contents: [Content] = []
    /// An http(s) URL, or the path of a local file.
    package var picture: String?
    /// Genres, categories, keywords.
    package var tags: [String] = []
    package var places: [Place] = []

    package init(kind: Kind) { self.kind = kind }
}
