/// Something that becomes true when a frame of a ring is heard.
package struct Mark: Sendable, Equatable {
    /// What becomes true; the number in `id` tells which one, in the sender's own table.
    package enum Kind: UInt8, Sendable {
        /// The first frame of an item, or the first after a seek.
        case position
        /// Metadata (a title) belongs to the sound from here on.
        case metadata
        /// One past the last frame of an item.
        case itemEnd
    }

    package let frame: Int
    package let kind: Kind
    package let id: Int

    package init(frame: Int, kind: Kind, id: Int) {
        self.frame = frame
        self.kind = kind
        self.id = id
    }
}
