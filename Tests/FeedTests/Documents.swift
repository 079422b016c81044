import Base
import Testing

@testable import Feed

/// Reads text as a document at that URL; nil for what is none of the kinds.
func published(
    _ text: String, at url: String = "http://p.test/shows/feed.xml", mayLeadToThisMachine: Bool = false,
    json: ([UInt8]) -> JSONValue? = { _ in nil }
) throws -> Publication? {
    try Feed.read(Array(text.utf8), url: url, mayLeadToThisMachine: mayLeadToThisMachine, json: json)
}

/// A podcast's feed with these items.
func rss(_ items: String, channel: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
        xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:georss="http://www.georss.org/georss"
        xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel><title>Show</title><link>http://p.test/</link>\(channel)\(items)</channel></rss>
    """
}
