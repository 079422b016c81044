package import Base

/// The entries in their order, which of them is the current one, and how it goes on; a value, without playback.
///
/// Every change is all or nothing and raises the revision. Entries are found by id and by index in O(1);
/// an id's index costs a scan of the order (8 bytes an entry, some 20 µs for 100,000), inserting and removing a
/// move of its tail.
package struct Queue {
    /// The most entries there can be.
    package let limit: Int
    /// Counts changes of the entries; the current index does not count.
    package internal(set) var revision: Int64 = 0
    /// The current entry's index; nil only when there are no entries.
    package internal(set) var index: Int? { didSet { changesOfCurrent &+= 1 } }
    /// With the revision, counts all that can change the current entry, or what is known of it.
    private(set) var changesOfCurrent: UInt64 = 0
    /// The id that the next new entry gets.
    package internal(set) var nextID: Int64
    /// What comes after what; see `setModes`.
    package internal(set) var modes = QueueModes()
    /// The order of chance, while shuffled.
    package internal(set) var round: ShuffledRound?

    var order: [Int64] = []
    var entries = EntryTable() { didSet { changesOfCurrent &+= 1 } }
    var random: SplitMix
    /// Changes since they were taken last, when somebody wants them.
    private var edits: [QueueEdit] = []
    /// True when edits are noted for `takeEdits`.
    package var isRecording = false

    /// Creates an empty queue whose ids begin with `firstID`; chance is worked out from `seed`.
    package init(
        firstID: Int64 = 1, limit: Int = 100_000, seed: UInt64 = .random(in: 0...UInt64.max)
    ) {
        nextID = firstID
        self.limit = limit
        random = SplitMix(seed: seed)
    }

    /// Takes up entries that were saved, in their order; ids that were used before `nextID` never come again.
    package mutating func restore(
        _ saved: [QueueEntry], index: Int?, nextID: Int64, modes: QueueModes, round: [Int64]
    ) {
        order = []
        entries.removeAll()
        order.reserveCapacity(saved.count)
        for entry in saved.prefix(limit) where !entries.contains(entry.id) {
            entries[entry.id] = entry
            order.append(entry.id)
        }
        self.nextID = max(self.nextID, nextID, (order.max() ?? 0) + 1)
        self.index = order.isEmpty ? nil : max(0, min(index ?? 0, order.count - 1))
        self.modes = modes
        self.round = nil
        if modes.isShuffled {
            self.round = ShuffledRound(
                resuming: round, present: order, current: current?.id, using: &random)
        }
        if !order.isEmpty { revision += 1 }
    }

    // MARK: Reading

    package var count: Int { order.count }

    /// All ids in order.
    package var ids: [Int64] { order }

    package var current: QueueEntry? { index.flatMap { entries[order[$0]] } }

    /// The entry of that id; nil when there is none.
    package subscript(id: Int64) -> QueueEntry? { entries[id] }

    /// The entry at an index; nil outside the queue.
    package func entry(at index: Int) -> QueueEntry? {
        order.indices.contains(index) ? entries[order[index]] : nil
    }

    /// Where that entry is; nil when there is none. A scan, but a fast one.
    package func index(of id: Int64) -> Int? { entries.contains(id) ? order.scan(for: id) : nil }

    /// A part of the queue. Throws invalid_params for negative numbers.
    package func page(offset: Int, limit: Int) throws(CommandFailure) -> QueuePage {
        guard offset >= 0 else { throw CommandFailure(.invalidParams, "offset is \(offset), below 0.") }
        guard limit >= 0 else { throw CommandFailure(.invalidParams, "limit is \(limit), below 0.") }
        let ids = order.dropFirst(offset).prefix(min(limit, Self.longestPage))
        return QueuePage(queueRevision: revision, total: count, entries: ids.compactMap { entries[$0] })
    }

    /// The most entries in one page, about 1 MB of JSON.
    package static let longestPage = 5_000

    /// Throws invalid_state when a revision is given and is not the queue's.
    package func expect(_ revision: Int64?) throws(CommandFailure) {
        guard let revision, revision != self.revision else { return }
        throw CommandFailure(
            .invalidState, "The queue is at revision \(self.revision), not at \(revision) as ifRevision says."
        )
    }

    // MARK: Noting

    /// True when changes were noted since they were taken last.
    package var hasEdits: Bool { !edits.isEmpty }

    /// Takes the changes that were noted, oldest first.
    package mutating func takeEdits() -> [QueueEdit] {
        guard !edits.isEmpty else { return [] }
        defer { edits = [] }
        return edits
    }

    /// A change was made.
    mutating func note(_ edit: QueueEdit) {
        revision += 1
        if isRecording { edits.append(edit) }
    }
}

extension [Int64] {
    /// The first place of a number; eight at a time, so that a processor can compare them at once.
    fileprivate func scan(for number: Int64) -> Int? {
        // Safe because every place that is read lies below the count.
        unsafe withUnsafeBufferPointer { numbers in
            let count = numbers.count
            var place = 0
            while place + 8 <= count {
                var isThere = false
                for offset in 0..<8 {
                    let isEqual = unsafe numbers[place + offset] == number
                    isThere = isThere || isEqual
                }
                if isThere { break }
                place += 8
            }
            while place < count {
                if unsafe numbers[place] == number { return place }
                place += 1
            }
            return nil
        }
    }
}
