import Markup

/// Whose word an element's name is: feeds mix many vocabularies that use the same words.
enum Vocabulary {
    /// RSS in its versions, OPML, and whatever is in no namespace.
    case core
    case atom
    case itunes
    case media
    case podcast
    case content
    case dublinCore
    case place
    case other

    /// Told by the namespace, or, where markup is no XML, by the usual prefix.
    init(_ namespace: String) {
        switch namespace {
        case "": self = .core
        case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "atom", "a10": self = .atom
        case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "media": self = .media
        case "http://purl.org/rss/1.0/modules/content/", "content": self = .content
        case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/", "dc", "dcterms":
            self = .dublinCore
        case "http://www.georss.org/georss", "http://www.w3.org/2003/01/geo/wgs84_pos#", "georss", "geo":
            self = .place
        default: self = Self.written(namespace.lowercased())
        }
    }

    /// Those that are written in many ways.
    private static func written(_ namespace: String) -> Vocabulary {
        if namespace.contains("itunes") { return .itunes }
        if namespace.contains("podcast") { return .podcast }
        let isRSS =
            namespace.contains("purl.org/rss") || namespace.contains("backend.userland.com")
            || namespace.contains("netscape.com/rdf") || namespace.hasSuffix("rdf-syntax-ns#")
            || namespace == "rdf"
        return isRSS ? .core : .other
    }
}
