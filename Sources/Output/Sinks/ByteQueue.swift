/// A ring of bytes with a fixed capacity, for one thread.
@safe struct ByteQueue: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private let capacity: Int
    private var head = 0
    private(set) var count = 0

    /// Allocates the capacity at once.
    init(capacity: Int) {
        self.capacity = capacity
        unsafe storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe storage.deallocate() }

    /// Copies bytes in at the end, as far as there is room.
    mutating func append(_ bytes: UnsafeRawBufferPointer, count wanted: Int) {
        var taken = 0
        let limit = min(wanted, bytes.count, capacity - count)
        while taken < limit {
            let tail = (head + count) % capacity
            let part = min(limit - taken, capacity - tail)
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[tail..<(tail + part)])
            unsafe target.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[taken..<(taken + part)]))
            taken += part
            count += part
        }
    }

    /// The first bytes that lie in one piece; valid until the next change.
    func front(atMost limit: Int) -> UnsafeRawBufferPointer {
        let part = min(limit, count, capacity - head)
        return unsafe UnsafeRawBufferPointer(rebasing: storage[head..<(head + part)])
    }

    /// Forgets bytes at the front.
    mutating func removeFirst(_ bytes: Int) {
        head = (head + bytes) % max(1, capacity)
        count -= bytes
    }

    /// Forgets bytes at the end.
    mutating func removeLast(_ bytes: Int) { count = max(0, count - bytes) }

    /// Forgets all.
    mutating func removeAll() {
        head = 0
        count = 0
    }
}
