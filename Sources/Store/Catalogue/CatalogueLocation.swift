/// A place that items are about, as the catalogue keeps it: one row for all items with the same address.
package struct CatalogueLocation: Equatable, Sendable {
    /// How far its coordinates are known.
    package enum State: Int64, Sendable {
        case unresolved = 0
        /// The service was asked and gave none.
        case unknown = 1
        case resolved = 2
    }

    package let id: Int64
    package let address: String?
    /// In degrees, north positive; nil together with `longitude`.
    package var latitude: Double?
    /// In degrees, east positive.
    package var longitude: Double?
    package var state: State

    package init(id: Int64, address: String?, latitude: Double?, longitude: Double?, state: State) {
        (self.id, self.address, self.latitude, self.longitude, self.state) =
            (id, address, latitude, longitude, state)
    }
}
