import Base
import Player

/// Which playlists are read ahead, a few at a time and in order; control thread.
final class ListQueue {
    /// So that a list of lists asks no server for all of them at once.
    private static let mostAtATime = 4

    private let thread: ListThread
    private let open: (PlayableItem) -> any ByteSource
    private var waiting: [(token: Int, item: PlayableItem)] = []
    private var running: [Int: any ByteSource] = [:]

    /// `open` opens what is to be read when its turn comes.
    init(_ thread: ListThread, open: @escaping (PlayableItem) -> any ByteSource) {
        self.thread = thread
        self.open = open
    }

    /// Puts an item at the end. Throws when there is no thread to be had.
    func add(_ token: Int, _ item: PlayableItem) throws(SystemError) {
        waiting.append((token, item))
        try begin()
    }

    /// Reads it no more; nothing is told of it.
    func cancel(_ token: Int) {
        waiting.removeAll { $0.token == token }
        running[token]?.close()
    }

    /// Something was read: true when it was one of these. Throws as `add` does.
    func finished(_ token: Int) throws(SystemError) -> Bool {
        guard let source = running.removeValue(forKey: token) else { return false }
        source.close()
        try begin()
        return true
    }

    private func begin() throws(SystemError) {
        while running.count < Self.mostAtATime, !waiting.isEmpty {
            let next = waiting.removeFirst()
            let source = open(next.item)
            running[next.token] = source
            try thread.read(ListRequest(token: next.token, item: next.item, source: source))
        }
    }
}
