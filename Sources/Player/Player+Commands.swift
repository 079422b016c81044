package import Base

/// What `play` names.
package enum PlayTarget: Equatable, Sendable {
    /// The current entry, from where it was paused.
    case current
    case id(Int64)
    case index(Int)
}

/// Where `seek` goes; in seconds.
package enum SeekTarget: Equatable, Sendable {
    case to(Double)
    case by(Double)
    case live
}

extension Player {
    /// Past this many seconds `previous` begins the item anew.
    static let restartAfter = 3.0

    /// Plays the current entry on, or an entry from its start. Throws invalid_state or not_found.
    package func play(_ target: PlayTarget = .current) throws(CommandFailure) {
        try requireCurrent("There is nothing to play: the queue is empty.")
        if overlay == nil || target != .current { interruptAnnouncements() }
        let index = try index(of: target)
        if index != nil || machine.wish != .playing { noteStart() }
        if let index { go(to: index) }
        send(.play)
        publish()
    }

    /// Pauses; keeps position and connection. No change while stopped.
    package func pause() {
        // First silence, so that nobody hears how what was announced over it is taken out.
        if overlay != nil { send(.pause) }
        interruptAnnouncements()
        send(.pause)
        publish()
    }

    /// Stops and frees the sound device and the connection; position 0.
    package func stop() {
        interruptAnnouncements()
        send(.stop)
        playhead.stand(at: 0, timing)
        publish()
    }

    /// Pauses what plays or buffers, else plays. Throws invalid_state when there is nothing to play.
    package func toggle() throws(CommandFailure) {
        if overlay != nil { return pause() }
        let wasAnnouncing = isAnnouncing
        interruptAnnouncements()
        if machine.wish == .playing {
            pause()
        } else if !wasAnnouncing {
            try play()
        } else {
            publish()
        }
    }

    /// Goes to the next entry; past the end: stopped, first entry. Throws invalid_state without entries.
    package func next() throws(CommandFailure) {
        try requireCurrent("There is no next entry: the queue is empty.")
        interruptAnnouncements()
        noteStart()
        advance(.skipped)
        publish()
    }

    /// Restarts a seekable item past 3 s, else goes to the entry before. Throws invalid_state without entries.
    package func previous() throws(CommandFailure) {
        try requireCurrent("There is no previous entry: the queue is empty.")
        interruptAnnouncements()
        noteStart()
        if let item, item.isSeekable, !item.isLive, target > Self.restartAfter {
            jump(to: 0)
        } else if queue.moveBack() {
            load()
        } else {
            finish()
        }
        publish()
    }

    /// Goes to a place in the item. Throws invalid_state without an item, unsupported when it cannot seek.
    package func seek(_ target: SeekTarget) throws(CommandFailure) {
        try requireCurrent("There is no current item to seek in.")
        interruptAnnouncements()
        switch target {
        case .to(let seconds): try seek(to: seconds)
        case .by(let seconds): try seek(to: self.target + seconds)
        case .live: try seekToLive()
        }
        publish()
    }

    // MARK: Steps

    /// A user asks for sound: what failed before does not count any more.
    func noteStart() {
        failuresInARow = 0
        isErrorToBeCleared = true
    }

    func requireCurrent(_ message: String) throws(CommandFailure) {
        if queue.current == nil { throw CommandFailure(.invalidState, message) }
    }

    private func index(of target: PlayTarget) throws(CommandFailure) -> Int? {
        switch target {
        case .current: return nil
        case .id(let id):
            guard let index = queue.index(of: id) else {
                throw CommandFailure(.notFound, "There is no entry \(id) in the queue.")
            }
            return index
        case .index(let index):
            guard queue.entry(at: index) != nil else {
                throw CommandFailure(
                    .notFound, "There is no entry at index \(index): the queue holds \(queue.count).")
            }
            return index
        }
    }

    /// The position, or where a seek under way goes, in seconds.
    private var target: Double {
        machine.opening?.seekTarget ?? machine.opening?.waitingSeek ?? position
    }

    private func seek(to seconds: Double) throws(CommandFailure) {
        guard seconds.isFinite else {
            throw CommandFailure(.invalidParams, "The time to seek to is not a finite number of seconds.")
        }
        if let item, item.isLive { return try seekLive(to: seconds) }
        if let item, item.stream != nil, !item.isSeekable {
            throw CommandFailure(.unsupported, "This item cannot seek: its source gives no ranges.")
        }
        let duration = item?.duration ?? queue.current?.duration
        if let duration, seconds >= duration { advance(.skipped) } else { jump(to: max(0, seconds)) }
    }

    func jump(to seconds: Double) {
        send(.seek(to: seconds))
        playhead.stand(at: seconds, timing)
    }

    /// Goes to a place in what is kept of a live stream, at most to its end.
    private func seekLive(to seconds: Double) throws(CommandFailure) {
        guard let item, item.isSeekable else {
            throw CommandFailure(.unsupported, "This live stream cannot seek: time shift is off.")
        }
        let held = item.seekableRanges.first ?? 0...0
        jump(to: min(max(seconds, held.lowerBound), held.upperBound))
    }

    /// Without time shift, what plays of a live stream is its live end; a paused one gives up what it held.
    private func seekToLive() throws(CommandFailure) {
        guard let item, item.isLive else {
            throw CommandFailure(.unsupported, "There is no live end to go to: the item is not live.")
        }
        if item.isSeekable {
            jump(to: item.seekableRanges.last?.upperBound ?? position)
        } else if machine.wish == .paused {
            load()
        }
    }
}
