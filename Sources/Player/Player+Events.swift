import Base

extension Player {
    /// Takes an engine's event; call in the order in which things happened. Events of old openings are dropped.
    package func handle(_ event: EngineEvent) {
        if !deferIfActing(event) { process(event) }
    }

    func process(_ event: EngineEvent) {
        let buffer = item?.buffer
        switch event {
        case .deviceWaiting(let reason): noteDevice(waitingFor: reason)
        case .deviceReady: send(.deviceReady)
        case .deviceVolume(let percent, let isMuted): follow(devicePercent: percent, isMuted: isMuted)
        default:
            guard let token = event.token else { return }
            if token == item?.token {
                handleCurrent(event)
            } else if token == upcoming?.token {
                handleUpcoming(event)
            } else if token == overlay?.token {
                handleOverlay(event)
            } else if !handleReading(event, token) {
                return
            }
        }
        let isPriming = prime()
        // What comes every second while nothing happens must not have everything looked through.
        if case .buffer = event, !isPriming, let buffer,
            item?.buffer.differsInSecondsOnly(from: buffer) == true
        {
            publishBuffer()
            publishLimited()
        } else {
            publish()
        }
    }

    private func handleCurrent(_ event: EngineEvent) {
        // The clock comes with every pause, and says nothing of the item.
        if case .clock(_, let seconds, let at, let isRunning) = event {
            return noteClock(seconds, at, isRunning: isRunning)
        }
        item?.note(event)
        switch event {
        case .connecting: send(.connecting)
        case .receiving:
            properties.retry.value = nil
            send(.receiving)
        case .reconnecting(_, let attempt, let at, let reason):
            properties.retry.value = RetryReport(attempt: attempt, at: at, reason: reason)
            policy.noteReconnect(isStalled: machine.opening?.isStalled ?? false)
            send(.reconnecting)
        case .information: learnStation()
        case .opened: noteOpened()
        case .lengthKnown: learnDuration()
        case .decoded: prepareNext()
        case .metadata(_, let metadata): item?.note(metadata, at: timing.unixTime)
        case .seeked(_, let serial, let seconds): noteSeeked(serial, seconds)
        case .starved:
            // What was measured before says nothing any more.
            item?.buffer.secondsAhead = 0
            send(.starved)
            interruptInstead()
        case .ended:
            noteSilentEnd()
            send(.ended)
        case .failed(_, let failure): fail(failure)
        case .playlist(_, let members): replaceCurrent(with: members)
        default: break
        }
    }

    private func handleUpcoming(_ event: EngineEvent) {
        upcoming?.note(event)
        switch event {
        case .itemStarted(_, let seconds, let at): follow(from: seconds, at)
        case .itemAwaited: awaitUpcoming()
        case .metadata(_, let metadata): upcoming?.note(metadata, at: timing.unixTime)
        case .failed:
            engine.cancelNext()
            upcoming = nil
            isUpcomingRefused = true
        case .playlist(_, let members): replaceUpcoming(with: members)
        default: break
        }
    }

    // MARK: Steps

    private func noteOpened() {
        learnTags()
        let hasWaitingSeek = machine.opening?.waitingSeek != nil
        send(.opened(isSeekable: item?.isSeekable ?? false))
        goOnScanning()
        if hasWaitingSeek, machine.opening?.seekTarget == nil { playhead.stand(at: 0, timing) }
    }

    private func noteClock(_ seconds: Double, _ at: MonotonicTime, isRunning: Bool) {
        send(.clock(isRunning: isRunning))
        if machine.opening?.isHeard == true {
            playhead.move(from: seconds, at: at, timing)
        } else if !isRunning, machine.opening?.seekTarget == nil, machine.opening?.isSeeking == false {
            playhead.stand(at: seconds, timing)
        }
    }

    private func noteSeeked(_ serial: Int, _ seconds: Double) {
        guard serial == seekSerial else { return }
        let wasUnderWay = machine.opening?.seekTarget != nil
        send(.seeked)
        if wasUnderWay || machine.opening?.isHeard == false { playhead.stand(at: seconds, timing) }
    }

    /// The prepared item is heard: a move in the queue.
    private func follow(from seconds: Double, _ at: MonotonicTime) {
        guard moveToUpcoming() else { return }
        send(.itemStarted)
        let isHeard = machine.opening?.isHeard == true
        if isHeard { noteSound() }
        playhead.restart(from: seconds, at: at, isMoving: isHeard, timing)
        catchUp()
    }

    /// The current item is over, and the prepared one is not here yet: it is waited for, not opened again.
    private func awaitUpcoming() {
        noteSilentEnd()
        guard !isHopeless, moveToUpcoming() else { return send(.ended) }
        send(.itemAwaited(isOpened: item?.stream != nil))
        playhead.stand(at: 0, timing)
        catchUp()
        interruptInstead()
    }

    /// Takes over what was learnt of the current item while it was only prepared.
    func catchUp() {
        learnStation()
        learnTags()
        if item?.isDecoded == true { prepareNext() }
    }

    /// Makes the prepared item the current one; false when its entry is gone.
    private func moveToUpcoming() -> Bool {
        guard let next = upcoming, queue.follow(next.entryID) else { return false }
        noteHeardToEnd()
        takeUpcoming()
        return true
    }

    func fail(_ failure: PlaybackFailure) {
        guard let item else { return }
        let at = timing.unixTime
        queue.update(item.entryID) { $0.error = EntryError(failure, at: at) }
        properties.error.value = ErrorReport(
            failure: failure, url: interlude?.announcement.entry.url ?? queue[item.entryID]?.url,
            entry: item.entryID > 0 ? item.entryID : nil, at: at)
        properties.retry.value = nil
        isErrorToBeCleared = false
        failuresInARow += 1
        isFailing = true
        send(.failed(at: item.isLive ? 0 : position))
        isFailing = false
    }

    /// An item that ends without a sound must not make a queue that repeats spin: it counts like a failure.
    private func noteSilentEnd() {
        if machine.wish == .playing, machine.opening?.hasSounded == false { failuresInARow += 1 }
    }

    private func noteDevice(waitingFor reason: String) {
        guard machine.wish != .stopped, !machine.isDeviceWaiting else { return }
        send(.deviceWaiting)
        properties.error.value = ErrorReport(
            failure: PlaybackFailure(.device, reason), url: nil, entry: nil, at: timing.unixTime)
    }

    /// Begins, or goes on, once enough is here; true when that is so now.
    private func prime() -> Bool {
        guard let item, machine.opening?.isPrimed == false, isLikelyToKeepUp(item) else { return false }
        send(.primed)
        return true
    }

    func isLikelyToKeepUp(_ item: PlayingItem) -> Bool {
        item.isDecoded
            || policy.isLikelyToKeepUp(
                item.buffer, bitrate: item.bitrate, isLocal: item.isLocal, isLive: item.isLive)
    }
}

extension EngineEvent {
    /// The opening that it is about; nil for a device's.
    var token: Int? {
        switch self {
        case .connecting(let token), .receiving(let token), .reconnecting(let token, _, _, _),
            .information(let token, _), .buffer(let token, _), .opened(let token, _),
            .lengthKnown(let token, _, _), .decoded(let token), .seeked(let token, _, _),
            .clock(let token, _, _, _), .itemStarted(let token, _, _), .itemAwaited(let token),
            .format(let token, _), .metadata(let token, _),
            .starved(let token), .ended(let token), .failed(let token, _), .playlist(let token, _),
            .noPlaylist(let token), .announcing(let token), .announced(let token):
            token
        case .deviceWaiting, .deviceReady, .deviceVolume: nil
        }
    }
}
