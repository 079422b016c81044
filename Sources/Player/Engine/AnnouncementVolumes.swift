/// How loud an announcement and the item beneath it are, in percent, before the item is turned down.
package struct AnnouncementVolumes: Equatable, Sendable {
    package let announcement: Double
    package let item: Double

    package init(announcement: Double, item: Double) {
        self.announcement = announcement
        self.item = item
    }

    /// What the outputs are set to while both are heard.
    package var loudest: Double { max(announcement, item) }
}
