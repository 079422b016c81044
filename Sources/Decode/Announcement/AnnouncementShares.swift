/// How loud an announcement and the item beneath it are, as factors, beside the gain that an output has meanwhile.
package struct AnnouncementShares: Equatable, Sendable {
    package let announcement: Float
    package let item: Float

    package init(announcement: Float, item: Float) {
        self.announcement = announcement
        self.item = item
    }
}
