/// What is known of a resource before its data: the first phase of loading.
package struct ContentInformation: Equatable, Sendable {
    /// Bytes in all; nil when unknown or endless.
    package var length: Int64?
    /// The media type without parameters, lower case; nil when not told.
    package var contentType: String?
    /// True when bytes can be had from any offset.
    package var isSeekable: Bool
    /// True for a live stream: no length, and it speaks ICY or says so otherwise.
    package var isLive: Bool
    /// True when all of it lies on a local disk.
    package var isLocal: Bool
    package var station: StationInformation?
    /// Where it was found in the end; nil when not told.
    package var place: ContentPlace?
    /// What its server tells this version from others by.
    package var edition: DocumentEdition?
    /// True when the server says that the edition which was named is still the one.
    package var isUnchanged = false

    package init(
        length: Int64? = nil, contentType: String? = nil, isSeekable: Bool = false, isLive: Bool = false,
        isLocal: Bool = false, station: StationInformation? = nil, place: ContentPlace? = nil
    ) {
        self.length = length
        self.contentType = contentType
        self.isSeekable = isSeekable
        self.isLive = isLive
        self.isLocal = isLocal
        self.station = station
        self.place = place
    }
}

/// What tells one edition of a document from another (RFC 9110, section 8.8).
package struct DocumentEdition: Equatable, Sendable {
    /// As it came, in its quotes.
    package var entityTag: String?
    package var lastModified: String?

    package init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// Where a resource was found in the end: what relative names in it belong to.
package struct ContentPlace: Equatable, Sendable {
    /// The URL after all redirects, without user and password; may hold other secrets.
    package var url: String
    /// True when what it names may lie on this machine or its link, as it does itself.
    package var mayLeadToThisMachine: Bool
    /// Where servers said that it is to be asked for from now on (301, 308); nil when they did not.
    package var permanentURL: String?

    package init(url: String, mayLeadToThisMachine: Bool, permanentURL: String? = nil) {
        self.url = url
        self.mayLeadToThisMachine = mayLeadToThisMachine
        self.permanentURL = permanentURL
    }
}

/// What a station says of itself in its `icy-` headers.
package struct StationInformation: Equatable, Sendable {
    package var name: String?
    package var genre: String?
    package var website: String?
    /// Bits a second as announced.
    package var bitrate: Int?

    package init(name: String? = nil, genre: String? = nil, website: String? = nil, bitrate: Int? = nil) {
        self.name = name
        self.genre = genre
        self.website = website
        self.bitrate = bitrate
    }
}
