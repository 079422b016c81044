import Base

/// The places of items. Catalogue thread; reading also elsewhere.
package final class LocationTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Gives an item its places, in order, instead of those that it had.
    func set(_ places: [PublishedItem.Place], of item: Int64, had: Bool) throws(StoreError) {
        if had { try database.run("DELETE FROM item_locations WHERE item = ?", .integer(item)) }
        for (index, place) in places.enumerated() {
            try database.run(
                "INSERT INTO item_locations (item, place, location) VALUES (?, ?, ?)", .integer(item),
                .integer(Int64(index)), .integer(try id(of: place)))
        }
    }

    /// The row of an address, or of a place that came with coordinates: those are nobody else's answer.
    private func id(of place: PublishedItem.Place) throws(StoreError) -> Int64 {
        let address = place.address ?? ""
        let isGiven = place.latitude != nil && place.longitude != nil
        let known = try database.integer(
            isGiven
                ? "SELECT id FROM locations WHERE address = ?1 AND given = 1 AND latitude = ?2 AND longitude = ?3"
                : "SELECT id FROM locations WHERE address = ?1 AND given = 0 AND ?2 IS NULL AND ?3 IS NULL",
            .text(address), .optional(place.latitude), .optional(place.longitude))
        if known > 0 { return known }
        let state = isGiven ? CatalogueLocation.State.resolved : .unresolved
        try database.run(
            "INSERT INTO locations (address, given, latitude, longitude, state) VALUES (?, ?, ?, ?, ?)",
            .text(address), .flag(isGiven), .optional(place.latitude), .optional(place.longitude),
            .integer(state.rawValue))
        return database.lastID
    }

    /// The places of an item, in order.
    func locations(of item: Int64) throws(StoreError) -> [CatalogueLocation] {
        var found: [CatalogueLocation] = []
        try database.rows(
            "SELECT l.id, address, latitude, longitude, state FROM item_locations i JOIN locations l "
                + "ON l.id = i.location WHERE item = ? ORDER BY place", [.integer(item)]
        ) { row in
            let address = row.text(1) ?? ""
            found.append(
                CatalogueLocation(
                    id: row.integer(0), address: address.isEmpty ? nil : address,
                    latitude: row.optionalReal(2), longitude: row.optionalReal(3),
                    state: .init(rawValue: row.integer(4)) ?? .unresolved))
        }
        return found
    }

    /// Keeps the answer for a place.
    package func put(_ location: CatalogueLocation, at time: Double) throws(StoreError) {
        try database.run(
            "UPDATE locations SET latitude = ?2, longitude = ?3, state = ?4, asked_at = ?5 WHERE id = ?1",
            .integer(location.id), .optional(location.latitude), .optional(location.longitude),
            .integer(location.state.rawValue), .real(time))
    }

    /// Places that no item has any more are forgotten, unless somebody was asked for them.
    func prune() throws(StoreError) {
        try database.execute(
            "DELETE FROM locations WHERE (given = 1 OR state = 0) AND NOT EXISTS "
                + "(SELECT 1 FROM item_locations WHERE location = locations.id)")
    }
}
