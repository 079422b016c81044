package import Base

/// A part of the queue, as `queue.list` answers.
package struct QueuePage: Equatable, Sendable, JSONRepresentable {
    package let queueRevision: Int64
    /// Entries of the whole queue.
    package let total: Int
    package let entries: [QueueEntry]

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("queueRevision", queueRevision)
            text.member("total", total)
            text.member("entries", entries)
        }
    }
}
