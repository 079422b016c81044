import Base
import Wire

extension Session {
    /// Lets the client do no more than that from now on; what it was refused before stays so. Returns what is left.
    func restrict(to groups: Set<MethodGroup>) -> Set<MethodGroup> {
        let left = allowed.map { $0.intersection(groups) } ?? groups
        allowed = left
        return left
    }

    /// A group that a request needs and the client does not have; nil when it may.
    func missingGroup(for request: Request) -> MethodGroup? {
        guard let allowed else { return nil }
        let needed = MethodGroup.needed(request.method, request.params)
        return MethodGroup.allCases.first { needed.contains($0) && !allowed.contains($0) }
    }
}
