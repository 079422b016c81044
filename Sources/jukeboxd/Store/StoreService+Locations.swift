import Base
import Store

/// Where items' addresses lie: asked for when somebody looks at an item, remembered for all with that address.
extension StoreService {
    /// Places that are told of at most; the oldest go first.
    private static let mostLocations = 1_000

    /// Somebody looks at these places: those that are not known yet are asked for.
    func want(_ rows: [CatalogueLocation]) {
        guard let geocoder else { return }
        for row in rows {
            let location = locations[row.id] ?? Location(row) { [unowned self] in tell($0) }
            guard location.isOpen, let address = row.address else { continue }
            locations[row.id] = location
            location.begin()
            geocoder.ask(address) { [mailbox] answer in
                mailbox.post { $0.take(answer, of: row.id) }
            }
        }
    }

    private func take(_ answer: Geocoder.Answer?, of id: Int64) {
        guard let location = locations[id] else { return }
        location.take(answer)
        guard answer != nil else { return }
        let (row, now) = (location.row, Clocks.unixTime)
        catalogue.change({ (file) throws(StoreError) in try file.locations.put(row, at: now) }) { outcome in
            guard case .failure(let error) = outcome else { return }
            Log.warning("store", "a place cannot be kept: \(error)")
        }
    }

    private func tell(_ location: Location) {
        let id = location.row.id
        table.set(
            "locations.\(id)", LocationText(location: location.row, isResolving: location.isResolving))
        guard locations.count > Self.mostLocations, let oldest = locations.keys.min(), oldest != id else {
            return
        }
        locations[oldest] = nil
        table.remove("locations.\(oldest)")
    }
}
