package import Base

extension Player {
    /// Makes the queue this one item and plays it, if asked; returns its id.
    package func open(_ item: NewEntry, play: Bool = true) throws(CommandFailure) -> [Int64] { [] }

    /// Adds items before `at` (nil or past the end appends), plays the first of them, if asked; returns their ids.
    package func add(_ items: [NewEntry], at: Int? = nil, play: Bool = false, ifRevision: Int64? = nil)
        throws(CommandFailure) -> [Int64]
    { [] }

    /// Adds items behind the current one; returns their ids.
    package func insertNext(_ items: [NewEntry], ifRevision: Int64? = nil) throws(CommandFailure) -> [Int64] {
        []
    }

    /// Puts an item in the current one's place; returns its id.
    package func replaceCurrent(_ item: NewEntry) throws(CommandFailure) -> [Int64] { [] }

    /// Removes entries; if the current one is among them and played, its successor plays.
    package func remove(_ ids: [Int64], ifRevision: Int64? = nil) throws(CommandFailure) {}

    /// Moves entries so that the first of them gets the index `to`, clamped.
    package func move(_ ids: [Int64], to: Int, ifRevision: Int64? = nil) throws(CommandFailure) {}

    /// Removes all entries and stops.
    package func clear(ifRevision: Int64? = nil) throws(CommandFailure) {}

    /// A part of the queue. Throws invalid_params for negative numbers.
    package func list(offset: Int = 0, limit: Int = 500) throws(CommandFailure) -> QueuePage {
        try queue.page(offset: offset, limit: limit)
    }
}
