import Base
import Store

/// An item of the catalogue as it is told: straight from its row, so that a list of thousands is written without a copy
/// of any.
struct ItemText {
    let row: ItemRow
    let locations: [CatalogueLocation]
    /// True when a service is asked for the places that are not known.
    var isAsked = false
    /// All of them, for the detail view; nil in a list.
    var contents: [PublishedItem.Content]?

    func write(to text: inout JSONText) {
        text.append(raw: "{")
        text.key("id")
        text.append(number: row.id)
        text.key("kind")
        text.append(string: row.kind.rawValue)
        text.key("source")
        text.append(number: row.source)
        writeTexts(to: &text)
        writeMarks(to: &text)
        text.key("artwork")
        row.append(url: .picture, to: &text)
        text.key("locations")
        if locations.isEmpty { text.append(raw: "[]") } else { text.append(locations.map { told($0) }) }
        text.key("tags")
        row.append(list: .tags, to: &text)
        text.key("listed")
        text.append(truth: row.listing == .listed)
        if let contents {
            text.member("added", row.added)
            text.member("contents", contents.map { ContentText(content: $0) })
        }
        text.append(raw: "}")
    }

    private func writeTexts(to text: inout JSONText) {
        text.key("title")
        row.append(.title, to: &text)
        text.key("creators")
        row.append(list: .creators, to: &text)
        text.key("album")
        row.append(.album, to: &text)
        text.key("number")
        text.append(number: row.number)
        text.key("date")
        if let date = row.date { text.append(string: ISODate.text(date)) } else { text.append(raw: "null") }
        text.key("duration")
        text.append(number: row.duration)
        text.key("size")
        text.append(number: row.size)
        text.key("summary")
        row.append(.summary, to: &text)
        text.key("url")
        row.append(url: .url, to: &text)
    }

    private func writeMarks(to text: inout JSONText) {
        let user = row.user
        text.key("available")
        text.append(truth: row.isAvailable)
        text.key("heard")
        text.append(truth: user.isHeard)
        text.key("position")
        text.append(number: user.position)
        text.key("rating")
        text.append(number: user.rating)
        text.key("playCount")
        text.append(number: user.playCount)
        text.key("lastHeard")
        text.append(number: user.lastHeard)
    }

    private func told(_ location: CatalogueLocation) -> LocationText {
        let isResolving = isAsked && location.state == .unresolved && location.address != nil
        return LocationText(location: location, isResolving: isResolving)
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
