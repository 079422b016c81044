import Base

/// An announcement that is heard over the item, which goes on more quietly.
struct Overlay {
    let announcement: Announcement
    /// Names it to the engine.
    let token: Int
    /// How loud both are.
    let volumes: AnnouncementVolumes
    /// When it began to be heard; nil before.
    var since: MonotonicTime?

    /// What the outputs are set to, in percent, beside the volume of its own that the player has; nil: that one.
    ///
    /// The item is quiet before they become louder for the announcement's sake.
    func loudest(beside own: Double) -> Double? { since == nil ? nil : max(own, volumes.loudest) }
}

extension Player {
    /// True when what plays is heard, and can be heard on beneath something else.
    var isHeardBeneath: Bool {
        machine.phase == .playing && !properties.muted.value && properties.volume.value * fade > 0
    }

    /// Lets an announcement be heard over the item.
    func beginOverlay(_ announcement: Announcement) {
        lastToken += 1
        let own = properties.volume.value * fade
        let volumes = AnnouncementVolumes(announcement: announcement.volume ?? own, item: own)
        overlay = Overlay(announcement: announcement, token: lastToken, volumes: volumes)
        engine.announce(lastToken, announcement.entry.playable, volumes: volumes)
    }

    /// Ends it; the item is heard alone.
    func endOverlay() {
        guard overlay != nil else { return }
        overlay = nil
        engine.endAnnouncement()
        applyGain()
    }

    /// Takes what the engine tells of it.
    func handleOverlay(_ event: EngineEvent) {
        switch event {
        case .announcing:
            overlay?.since = timing.now
            applyGain()
        case .announced: leaveOverlay()
        case .failed(_, let failure):
            properties.error.value = ErrorReport(
                failure: failure, url: overlay?.announcement.entry.url, entry: nil, at: timing.unixTime)
            leaveOverlay()
        case .playlist(_, let members):
            if var first = overlay?.announcement, let entry = member(members) {
                first.entry = entry
                announcements.insert(first, at: 0)
            }
            leaveOverlay()
        default: break
        }
    }

    /// What it was over is not heard on: the rest of it is heard instead.
    func interruptInstead() {
        guard let ended = overlay else { return }
        var rest = ended.announcement
        rest.ducks = false
        rest.start += ended.since.map { (timing.now - $0).inSeconds } ?? 0
        endOverlay()
        announcements.insert(rest, at: 0)
        beginAnnouncement()
    }

    private func leaveOverlay() {
        endOverlay()
        endAnnouncement()
    }
}
