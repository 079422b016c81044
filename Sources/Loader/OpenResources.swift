import Synchronization

/// The remote resources that are open, by which a second reader finds the first one's. Any thread.
final class OpenResources: Sendable {
    private struct Entry {
        weak var resource: SharedResource?
    }

    private let entries = Mutex<[Entry]>([])

    /// Lets a reader join a resource that is open, or the one that `make` makes; true when that was done.
    func join(
        _ description: ResourceDescription, _ reader: Reader, orMake make: () -> SharedResource
    ) -> (SharedResource, isNew: Bool) {
        entries.withLock { entries in
            entries.removeAll { $0.resource == nil }
            for entry in entries {
                guard let resource = entry.resource, resource.description.isSame(as: description),
                    resource.join(reader)
                else { continue }
                return (resource, false)
            }
            let resource = make()
            _ = resource.join(reader, isFirst: true)
            entries.append(Entry(resource: resource))
            return (resource, true)
        }
    }
}
