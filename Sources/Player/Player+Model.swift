import Base

extension Player {
    /// An item is prepared that many seconds before the one before it ends.
    static let prepareAhead = 10.0

    // MARK: Learning

    /// A station without a name of the user's is listed by its own.
    func learnStation() {
        guard let item, let name = item.information?.station?.name, item.isLive else { return }
        queue.update(item.entryID) { if !$0.isTitleGiven { $0.title = name } }
    }

    func learnTags() {
        guard let item, let tags = item.stream?.tags, !item.isLive else { return }
        queue.update(item.entryID) { entry in
            if !entry.isTitleGiven, let title = tags.title { entry.title = title }
            if let artist = tags.artist { entry.artist = artist }
            if let album = tags.album { entry.album = album }
        }
        learnDuration()
    }

    func learnDuration() {
        guard let item, let duration = item.duration, !item.isDurationEstimated else { return }
        queue.update(item.entryID) { $0.duration = duration }
    }

    // MARK: Preparing what follows

    /// What goes on somewhere within is opened when it is due: only a start can be joined.
    private var follower: QueueEntry? {
        guard interlude == nil, let entry = queue.follower().flatMap({ queue[$0] }) else { return nil }
        return start(of: entry) > 0 ? nil : entry
    }

    /// Opens the entry that follows, for a join without a seam.
    func prepareNext() {
        guard let item, upcoming == nil, !isUpcomingRefused, !item.isLive, let entry = follower else {
            return
        }
        lastToken += 1
        upcoming = PlayingItem(token: lastToken, entryID: entry.id, storeID: entry.storeID)
        engine.prepareNext(lastToken, playable(entry))
        dropReading(of: entry.id)
    }

    /// The queue may have changed: what was prepared must still be what follows.
    private func checkUpcoming() {
        guard let prepared = upcoming, prepared.entryID != follower?.id else { return }
        engine.cancelNext()
        upcoming = nil
        isUpcomingRefused = false
        if item?.isDecoded == true { prepareNext() }
    }

    /// Has what follows fetched as soon as the current one is here to its end, when the network has nothing better
    /// to do, until it is prepared.
    private func fetchFollower() {
        let isDue = item.map { $0.isSettled && !$0.isLive } ?? false
        let entry = isDue && upcoming == nil && !isUpcomingRefused ? follower : nil
        guard entry?.id != fetchedAhead else { return }
        fetchedAhead = entry?.id
        engine.fetchAhead(entry.flatMap { MediaName.isPlaylist($0.url) ? nil : playable($0) })
    }

    private func armPrepareTimer() {
        if let prepareTimer { timing.cancel(prepareTimer) }
        prepareTimer = nil
        guard let item, playhead.isMoving, item.isSettled, upcoming == nil, !isUpcomingRefused,
            follower != nil,
            let duration = item.duration
        else { return }
        let wait = duration - Self.prepareAhead - sound.crossfade - position
        guard wait > 0 else { return prepareNext() }
        prepareTimer = timing.schedule(after: .seconds(clamping: wait)) { [weak self] in
            self?.prepareTimer = nil
            self?.prepareNext()
        }
    }

    // MARK: Publishing

    /// Brings every property up to date; what did not change is no change.
    func publish() {
        checkUpcoming()
        checkReadings()
        let phase = machine.phase
        if phase != .playing { playhead.freeze(timing, end: item?.duration) }
        properties.state.value = phase.name
        properties.waitingReason.value = phase.waitingReason
        let hasMoved = properties.position.value != playhead.anchor
        properties.position.value = playhead.anchor
        properties.queueLength.value = queue.count
        properties.queueIndex.value = queue.index
        properties.queueRevision.value = queue.revision
        publishItem()
        publishBuffer()
        publishLimited()
        if hasMoved || prepareTimer == nil { armPrepareTimer() }
        fetchFollower()
        processDeferred()
    }

    /// A pause need not look through two dozen properties for nothing.
    private func publishItem() {
        let changes = (itemChanges, queue.changesOfCurrent, queue.revision)
        if let publishedChanges, publishedChanges == changes { return }
        publishedChanges = changes
        itemProperties.publish(shownEntry, item)
    }

    func publishBuffer() {
        properties.bufferTarget.value = policy.target
        properties.bufferEmpty.value = secondsAhead <= 0 && machine.opening?.isHeard != true
        properties.bufferFull.value = item.map { $0.isSettled || $0.buffer.isFull } ?? false
        properties.likelyToKeepUp.value = item.map { $0.stream != nil && isLikelyToKeepUp($0) } ?? false
    }

    /// What moves all the time is told once a second; what belongs to another item is told with it.
    func publishLimited() {
        loading.interval = item?.isLive == true ? .seconds(10) : .seconds(1)
        let isOther = publishedToken != item?.token || publishedEntry != shownEntry?.id
        let hasFirstRanges = itemProperties.hasFirstRanges(item)
        let isSilent = machine.wish != .playing && item?.isSettled ?? true
        publishedToken = item?.token
        publishedEntry = shownEntry?.id
        if isOther || isSilent || hasFirstRanges {
            seconds.runNow()
            loading.runNow()
        } else {
            if properties.bufferSeconds.value != secondsAhead { seconds.request() }
            if itemProperties.differsInLoading(shownEntry, item) { loading.request() }
        }
    }

    private var secondsAhead: Double { max(0, item?.buffer.secondsAhead ?? 0) }

    func publishSeconds() { properties.bufferSeconds.value = secondsAhead }

    func publishLoading() { itemProperties.publishLoading(shownEntry, item) }
}
