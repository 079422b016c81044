/// A change of the queue's entries, for those who keep a copy of it: applied in order they give the same queue.
package enum QueueEdit: Equatable, Sendable {
    case insert([QueueEntry], at: Int)
    case remove([Int64])
    /// The entries, in that order, are taken out and put in again so that the first gets the index.
    case move([Int64], to: Int)
    /// All ids in their new order.
    case reorder([Int64])
    case update(QueueEntry)
    case clear
}
