package import Base

/// An item of the store as clients show it: plain text, whatever its publisher wrote.
package struct StoreItem: Equatable, Sendable {
    /// A place that an item is about.
    package struct Place: Equatable, Sendable {
        package let address: String?
        /// A `geo:` URI (RFC 5870); nil while it is not known where that is.
        package let geo: String?
        /// The protocol's word.
        package let state: String
    }

    package let id: Int64
    package let source: Int64
    /// The protocol's word: track, episode, station, album.
    package let kind: String
    package let title: String
    package let creators: String?
    package let album: String?
    package let number: Int?
    /// The day, as YYYY-MM-DD.
    package let day: String?
    /// In seconds.
    package let duration: Double?
    /// In bytes.
    package let size: Double?
    /// In paragraphs.
    package let summary: [String]
    package let url: String?
    package let isAvailable: Bool
    package let isHeard: Bool
    /// Where it was left, in seconds; 0 at its start.
    package let position: Double
    package let rating: Int?
    package let playCount: Int
    /// Unix time.
    package let lastHeard: Double?
    package let places: [Place]
    package let tags: [String]
    /// False for what its publisher does not list any more.
    package let isListed: Bool

    /// Reads what `store.list` and `store.show` give; nil without an id.
    package init?(_ value: JSONValue) {
        guard case .integer(let id)? = value["id"] else { return nil }
        self.id = id
        source = value["source"]?.whole.map(Int64.init) ?? 0
        kind = PlainText.line(value["kind"]) ?? "track"
        url = PlainText.line(value["url"])
        title = PlainText.line(value["title"]) ?? url.map(StoreItem.fileName) ?? "?"
        let names = StoreItem.texts(value, "creators")
        creators = names.isEmpty ? nil : names.joined(separator: ", ")
        album = PlainText.line(value["album"])
        number = value["number"]?.whole
        day = PlainText.line(value["date"]).map { String($0.prefix(10)) }
        duration = value["duration"]?.number
        size = value["size"]?.number
        summary = StoreItem.paragraphs(value["summary"])
        isAvailable = value["available"] == .bool(true)
        isHeard = value["heard"] == .bool(true)
        position = max(0, value["position"]?.number ?? 0)
        rating = value["rating"]?.whole
        playCount = value["playCount"]?.whole ?? 0
        lastHeard = value["lastHeard"]?.number
        places = value.elements(of: "locations").map { place in
            Place(
                address: PlainText.line(place["address"]), geo: PlainText.line(place["geo"]),
                state: PlainText.line(place["state"]) ?? "unresolved")
        }
        tags = StoreItem.texts(value, "tags")
        isListed = value["listed"] != .bool(false)
    }

    /// The items of a result of `store.list`.
    package static func list(_ result: JSONValue) -> [StoreItem] {
        result.elements(of: "items").compactMap { StoreItem($0) }
    }

    private static func texts(_ value: JSONValue, _ name: String) -> [String] {
        value.elements(of: name).compactMap { PlainText.line($0) }
    }

    private static func paragraphs(_ value: JSONValue?) -> [String] {
        guard case .string(let text)? = value else { return [] }
        return PlainText.paragraphs(text)
    }

    private static func fileName(_ url: String) -> String {
        url.split(separator: "/").last.map(String.init) ?? url
    }
}
