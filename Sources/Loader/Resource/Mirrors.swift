/// The URLs of one resource, the one that worked last first: each is tried once in a round.
struct Mirrors {
    private let urls: [RemoteURL]
    /// Places in `urls` that this round still has.
    private var left: [Int]
    private var index: Int

    /// The first is the one that the resource is known by; `worked` is the one to begin with, where it is there.
    init(_ urls: [RemoteURL], worked: RemoteURL? = nil) {
        self.urls = urls
        index = worked.flatMap { urls.firstIndex(of: $0) } ?? 0
        left = []
        beginRound()
    }

    /// The one that is tried, or in use.
    var current: RemoteURL { urls[index] }

    /// True when there is another one to go to.
    var isPlural: Bool { urls.count > 1 }

    /// Goes to the next one of the round; false when all of them were tried.
    mutating func goOn() -> Bool {
        guard !left.isEmpty else { return false }
        index = left.removeFirst()
        return true
    }

    /// Begins a new round with the current one, which is not tried before the others again.
    mutating func beginRound() { left = urls.indices.filter { $0 != index } }
}
