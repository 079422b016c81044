extension StoreItem {
    /// A line of the detail view.
    package struct Fact: Equatable, Sendable {
        package let name: String
        package let text: String

        /// A fact of that name.
        package init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
    }

    /// All that is known of it but title and summary, in the order of the detail view.
    package var facts: [Fact] {
        var facts: [Fact] = []
        func add(_ name: String, _ text: String?) {
            if let text { facts.append(Fact(name, text)) }
        }
        add("by", creators)
        add("album", album.map { name in number.map { "\(name), no. \($0)" } ?? name })
        if album == nil { add("number", number.map { "\($0)" }) }
        add("kind", kind)
        add("date", day)
        add("duration", duration.map(ClockText.write))
        add("size", size.map(ByteText.write))
        add("state", state)
        add("rating", rating.map { String(repeating: "*", count: max(0, min(5, $0))) })
        if playCount > 0 { add("played", playCount == 1 ? "once" : "\(playCount) times") }
        for place in places { add("place", StoreItem.text(of: place)) }
        if !tags.isEmpty { add("tags", tags.joined(separator: ", ")) }
        add("address", url)
        return facts
    }

    /// Whether it is here and how far it was heard, in words.
    package var state: String {
        var words = [isAvailable ? "here" : "not here"]
        if isHeard {
            words.append("heard")
        } else if position >= 1 {
            words.append("left at \(ClockText.write(position))")
        } else if kind != "station" {
            words.append("not heard")
        }
        if !isListed { words.append("not listed any more") }
        return words.joined(separator: ", ")
    }

    /// Two columns: `✓` heard, `◐` begun, `•` not yet, and `↓` is here; without Unicode `x`, `~`, `*`, `v`.
    package func marks(inUnicode: Bool = true) -> String {
        let heard: (String, String) =
            isHeard ? ("✓", "x") : position >= 1 ? ("◐", "~") : kind == "station" ? (" ", " ") : ("•", "*")
        let here: (String, String) = isAvailable ? ("↓", "v") : (" ", " ")
        return inUnicode ? heard.0 + here.0 : heard.1 + here.1
    }

    /// The URI of the first place whose coordinates are known.
    package var geo: String? { places.lazy.compactMap(\.geo).first }

    private static func text(of place: Place) -> String {
        let whereabouts = place.geo ?? (place.state == "resolving" ? "is looked up" : "unknown where")
        return place.address.map { "\($0) (\(whereabouts))" } ?? whereabouts
    }
}
