/// Timers in order of time; a binary heap with lazy removal.
package struct TimerQueue {
    /// Identifies a timer for cancelling.
    package struct Token: Hashable, Sendable { fileprivate let id: UInt64 }

    private struct Entry {
        let time: MonotonicTime
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var bodies: [UInt64: () -> Void] = [:]
    private var nextID: UInt64 = 0

    package init() {}

    /// True when there is no timer, not even a cancelled one.
    package var isEmpty: Bool { heap.isEmpty }

    /// Adds a timer; O(log n).
    package mutating func add(_ time: MonotonicTime, _ body: @escaping () -> Void) -> Token {
        nextID += 1
        bodies[nextID] = body
        heap.append(Entry(time: time, id: nextID))
        siftUp(heap.count - 1)
        return Token(id: nextID)
    }

    /// Forgets a timer; O(1), its entry leaves the heap when it comes up.
    package mutating func cancel(_ token: Token) { bodies[token.id] = nil }

    /// Milliseconds to the earliest timer, rounded up, for epoll_wait; -1 when there is none.
    package mutating func millisecondsToNext(from now: MonotonicTime) -> Int32 {
        dropCancelled()
        guard let first = heap.first else { return -1 }
        let wait = max(0, first.time.nanoseconds - now.nanoseconds)
        return Int32(min(Int64(Int32.max), (wait + 999_999) / 1_000_000))
    }

    /// Takes the bodies that are due, in order of time.
    package mutating func takeDue(at now: MonotonicTime) -> [() -> Void] {
        var due: [() -> Void] = []
        while let first = heap.first, first.time <= now {
            removeFirst()
            if let body = bodies.removeValue(forKey: first.id) { due.append(body) }
        }
        return due
    }

    private mutating func dropCancelled() {
        while let first = heap.first, bodies[first.id] == nil { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            if !isBefore(heap[child], heap[parent]) { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if isBefore(heap[child], heap[first]) { first = child }
            }
            if first == parent { return }
            heap.swapAt(parent, first)
            parent = first
        }
    }

    private func isBefore(_ a: Entry, _ b: Entry) -> Bool { (a.time, a.id) < (b.time, b.id) }
}
