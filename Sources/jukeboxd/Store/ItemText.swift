import Base
import Store

/// An item of the catalogue as it is told.
struct ItemText: JSONRepresentable {
    let item: CatalogueItem
    /// With what only the detail view needs.
    var isWhole = false
    /// True when a service is asked for the places that are not known.
    var isAsked = false

    func write(to text: inout JSONText) {
        let published = item.published
        text.object { text in
            text.member("id", item.id)
            text.member("kind", published.kind.rawValue)
            text.member("source", item.source)
            text.member("title", published.title)
            text.member("creators", published.creators)
            text.member("album", published.album)
            text.member("number", published.number)
            text.member("date", published.date.map { ISODate.text($0) })
            text.member("duration", published.duration)
            text.member("size", item.size)
            text.member("summary", published.summary)
            text.member("url", URLMask.shown(item.url))
            text.member("available", item.isAvailable)
            text.member("heard", item.user.isHeard)
            text.member("position", item.user.position)
            text.member("rating", item.user.rating)
            text.member("playCount", item.user.playCount)
            text.member("lastHeard", item.user.lastHeard)
            text.member("artwork", published.picture.map { URLMask.shown($0) })
            text.member(
                "locations",
                item.locations.map { location in
                    let isResolving = isAsked && location.state == .unresolved && location.address != nil
                    return LocationText(location: location, isResolving: isResolving)
                })
            text.member("tags", published.tags)
            text.member("listed", item.listing == .listed)
            guard isWhole else { return }
            text.member("added", item.added)
            text.member("contents", published.contents.map { ContentText(content: $0) })
        }
    }
}

private struct ContentText: JSONRepresentable {
    let content: PublishedItem.Content

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("url", URLMask.shown(content.url))
            text.member("type", content.mediaType)
            text.member("size", content.size)
        }
    }
}

/// A place as it is told.
struct LocationText: JSONRepresentable {
    let location: CatalogueLocation
    /// True while its address is asked for.
    var isResolving = false

    func write(to text: inout JSONText) {
        text.object { text in
            text.member("id", location.id)
            text.member("address", location.address)
            text.member("latitude", location.latitude)
            text.member("longitude", location.longitude)
            text.member("state", isResolving ? "resolving" : location.stateName)
            text.member("geo", location.geoURI)
        }
    }
}

extension CatalogueLocation {
    fileprivate var stateName: String {
        switch state {
        case .unresolved: "unresolved"
        case .unknown: "unknown"
        case .resolved: "resolved"
        }
    }

    /// Where it lies (RFC 5870); nil while that is not known.
    fileprivate var geoURI: String? {
        guard let latitude, let longitude else { return nil }
        return "geo:\(Self.decimal(latitude)),\(Self.decimal(longitude))"
    }

    /// Six decimals, a tenth of a metre, without an exponent and without zeros at the end.
    private static func decimal(_ degrees: Double) -> String {
        let millionths = Int64((degrees * 1e6).rounded())
        let (whole, rest) = (millionths.magnitude / 1_000_000, millionths.magnitude % 1_000_000)
        var digits = String(rest + 1_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (millionths < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
    }
}
