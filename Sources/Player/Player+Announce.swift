package import Base

/// Something that is announced.
struct Announcement {
    /// Not in the queue; its id is below 0.
    var entry: QueueEntry
    /// In percent; nil: as it is.
    let volume: Double?
    /// True when it is to be heard over what plays, false when instead of it.
    var ducks: Bool
    /// Where it begins, in seconds: some of it may have been heard already.
    var start = 0.0
}

/// An announcement that is heard instead of what the queue plays, and what it goes back to.
struct Interlude {
    var announcement: Announcement
    var before: Before

    /// The state to go back to.
    struct Before {
        var wish: PlaybackStateMachine.Wish
        /// In seconds.
        var start: Double
        let failures: Int
        let isErrorToBeCleared: Bool
        /// A live stream that rests meanwhile, with all that it keeps; nil when it is opened anew.
        var resting: PlayingItem?
        /// Since when, where it was heard as it came: so late it is heard again. Nil where nothing may be missed.
        var liveSince: MonotonicTime?
    }
}

extension Player {
    /// Announcements that can wait for one another.
    private static let mostAnnouncements = 100
    /// Who hears a station so many seconds after it came hears it live, as far as buffers allow.
    private static let liveDelay = 15.0

    /// Plays an item at once, instead of what plays or, with `ducks`, over it; then goes back to exactly the state
    /// before, stopped included; one after the other when there are several. Volume in percent; nil: as it is.
    package func announce(_ item: NewEntry, volume: Double? = nil, ducks: Bool = false) throws(CommandFailure)
    {
        try item.check()
        if let volume, !volumes.contains(volume) {
            throw CommandFailure(
                .invalidParams,
                "volume is \(JSONText(volume).string); it must be from 0 to \(JSONText(volumes.upperBound).string)."
            )
        }
        guard announcements.count < Self.mostAnnouncements else {
            throw CommandFailure(
                .limit, "\(announcements.count) announcements are waiting, the most there can be.")
        }
        lastAnnouncement -= 1
        announcements.append(
            Announcement(
                entry: QueueEntry(id: lastAnnouncement, item), volume: volume, ducks: ducks))
        if interlude == nil, overlay == nil { beginAnnouncement() }
        publish()
    }

    /// True while an announcement has the word, instead of what plays.
    package var isAnnouncing: Bool { interlude != nil }

    /// The entry that the item's properties are about.
    var shownEntry: QueueEntry? { interlude?.announcement.entry ?? queue.current }

    /// The first that waits has its turn.
    func beginAnnouncement() {
        let announcement = announcements.removeFirst()
        properties.announcing.value = true
        if announcement.ducks, interlude == nil, isHeardBeneath {
            beginOverlay(announcement)
        } else {
            beginInterlude(announcement)
        }
    }

    /// An announcement is over: the next one has its turn, or what was before.
    func endAnnouncement() {
        if announcements.isEmpty { endAnnouncements() } else { beginAnnouncement() }
    }

    /// An announcement turned out to be a playlist: its first member is heard.
    func replaceAnnouncement(with members: PlaylistMembers) {
        guard let entry = member(members) else { return endAnnouncement() }
        interlude?.announcement.entry = entry
        send(.load(at: 0))
    }

    /// What is announced of a playlist; nil where it names nothing.
    func member(_ members: PlaylistMembers) -> QueueEntry? {
        lastAnnouncement -= 1
        return members.entries.first.map { QueueEntry(id: lastAnnouncement, $0) }
    }

    /// Goes back to the state before, and drops what waits; nothing while no announcement is heard.
    func endAnnouncements() {
        announcements = []
        properties.announcing.value = false
        endOverlay()
        guard let ended = interlude else { return }
        interlude = nil
        failuresInARow = ended.before.failures
        isErrorToBeCleared = ended.before.isErrorToBeCleared
        goBack(to: ended.before)
        applyGain()
    }

    /// A command concerns what plays: a scan and announcements are over, also when the command is refused then.
    func interruptAnnouncements() {
        endScan()
        guard interlude != nil || overlay != nil else { return }
        endAnnouncements()
        publish()
    }

    /// Notes the state to go back to. What is kept of a live stream would be lost with its connection.
    private func interrupt() -> Interlude.Before {
        let kept = memory
        var before = Interlude.Before(
            wish: kept.wish, start: kept.position, failures: failuresInARow,
            isErrorToBeCleared: isErrorToBeCleared)
        if let item, item.isLive, item.isSeekable, machine.opening != nil {
            before.resting = item
            before.start = position
            let delay = (item.seekableRanges.last?.upperBound ?? position) - position
            if kept.wish == .playing, delay < Self.liveDelay { before.liveSince = timing.now }
            engine.setAside()
        }
        return before
    }

    private func beginInterlude(_ announcement: Announcement) {
        let before = interlude?.before ?? interrupt()
        interlude = Interlude(announcement: announcement, before: before)
        isErrorToBeCleared = false
        machine.wish = .playing
        send(.load(at: announcement.start))
        playhead.stand(at: announcement.start, timing)
        applyGain()
    }

    private func goBack(to before: Interlude.Before) {
        let start = before.start + (before.liveSince.map { (timing.now - $0).inSeconds } ?? 0)
        let rests = before.wish != .stopped && before.resting?.entryID == queue.current?.id
        resting = rests ? before.resting : nil
        if resting == nil { engine.dropAside() }
        switch before.wish {
        case .playing where queue.current != nil: send(.load(at: start))
        case .paused where resting != nil:
            send(.load(at: start))
            send(.pause)
        case .paused where queue.current != nil:
            send(.pause)
            send(.load(at: start))
            close()
        default: send(.stop)
        }
        machine.start = start
        playhead.stand(at: start, timing)
    }
}
