import Base
import Store

/// A place that items are about: finds out where its address lies when that is asked for first. Control thread.
final class Location {
    /// As it is kept.
    private(set) var row: CatalogueLocation
    /// True from when it is asked for until the answer is here.
    private(set) var isResolving = false
    private let changed: (Location) -> Void

    /// `changed` is told of each change of its state.
    init(_ row: CatalogueLocation, changed: @escaping (Location) -> Void) {
        self.row = row
        self.changed = changed
    }

    /// True when its address may be asked for.
    var isOpen: Bool { row.state == .unresolved && row.address != nil && !isResolving }

    /// Begins to be asked for.
    func begin() {
        isResolving = true
        changed(self)
    }

    /// Takes the service's answer: coordinates, or that it knows none; nil where it could not be asked.
    func take(_ answer: Geocoder.Answer?) {
        isResolving = false
        switch answer {
        case .found(let latitude, let longitude):
            (row.latitude, row.longitude, row.state) = (latitude, longitude, .resolved)
        case .nothing: row.state = .unknown
        case nil: break
        }
        changed(self)
    }
}
