import Base

/// Keeps one thread from giving another more than it can take: whoever adds waits until there is room.
final class Backlog: Sendable {
    private let count = Guarded(0)
    private let most: Int
    private let room = WakePoint()

    /// Room for that many.
    init(most: Int) { self.most = most }

    /// Waits for room and takes it; one thread only.
    func enter() {
        while !count.withLock({ count in
            guard count < most else { return false }
            count += 1
            return true
        }) { room.wait() }
    }

    /// Gives room back; any thread.
    func leave() {
        count.withLock { $0 -= 1 }
        room.signal()
    }
}
