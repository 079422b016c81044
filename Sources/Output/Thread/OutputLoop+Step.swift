import Base

/// The turn: observe the device, fill it, start it, see the end.
extension OutputLoop {
    /// Does what can be done now, and says what to sleep for.
    func step() -> Pause {
        if isWaitingForRing, wantsRunning { return retryWithoutRing() }
        guard let feed else { return .forever }
        guard feed.isAttached else {
            rejoin()
            return .forever
        }
        if feed.mustFlush { flush(feed) }
        checkMaster(feed)
        guard wantsRunning else {
            pauseDevice()
            if isReleasedOnPause { closeDevice() }
            return .forever
        }
        guard device != .closed || openDevice() else { return pauseUntilRetry() }
        if let held = heldUntil {
            if .now < held { return .time(held - .now) }
            heldUntil = nil
        }
        do {
            return try play(feed)
        } catch .underrun {
            return recover(feed, counts: true)
        } catch .suspended {
            return recover(feed, counts: false)
        } catch {
            lose(error.reason)
            return pauseUntilRetry()
        }
    }

    private func play(_ feed: Feed) throws(SinkFailure) -> Pause {
        refusals = 0
        var (room, unheard) = try sink.status()
        if device == .running {
            observe(feed, unheard: unheard)
            if followMaster(feed) { return .time(.zero) }
            if unheard > 0, line.at - progressAt > .seconds(5) { throw .gone("the device stands still") }
        }
        let written = try fill(feed, room: room)
        room -= written
        unheard += written
        if sink.isUntimed, written > 0 { observe(feed, unheard: 0) }
        if device == .ready, filled > 0, filled >= startFill || feed.isWrittenOut {
            try start(feed)
        }
        // It said that there is room, and takes nothing: asked again before long.
        if refusals > 0 { return .time(.milliseconds(5)) }
        if sink.isUntimed { return idleUntimed(feed, wrote: written) }
        if feed.isWrittenOut { return finishing(feed, unheard: unheard) }
        if room < periodFrames { return .room(frames: periodFrames - room) }
        return running(dry: feed, unheard: unheard)
    }

    /// A device starts with a period in it, but with no more than 50 ms.
    private var startFill: Int { min(periodFrames, max(1, (format?.audio.sampleRate ?? 0) / 20)) }

    private var periodFrames: Int { format?.periodFrames ?? 1 }

    // MARK: Fill

    private func fill(_ feed: Feed, room: Int) throws(SinkFailure) -> Int {
        guard let renderer else { return 0 }
        var rest = room
        if fadesIn, filled == 0, !feed.isDry {
            renderer.ramp.fadeIn()
            fadesIn = false
        }
        while rest > 0 {
            let correction = drift.takeCorrection()
            // A ramp is a piece of its own: only what follows it can be taken back.
            let ramp = renderer.ramp.remaining > 0 ? renderer.ramp.remaining : Int.max
            let limit = min(rest, renderer.capacity, ramp)
            let source = unsafe feed.readable(atMost: max(1, limit - max(0, correction)))
            guard var samples = source.baseAddress, source.count > 0 else { break }
            let frames = source.count / feed.ring.format.channels
            var made = frames
            if correction != 0, frames >= DriftControl.leastFrames, frames < limit || correction < 0 {
                made = frames + correction
                unsafe samples = renderer.stretch(samples, from: frames, to: made)
            }
            let wasRamping = renderer.ramp.remaining > 0
            let bytes = unsafe renderer.render(samples, frames: made)
            // What was read may be overwritten once the ring no longer waits for this reader.
            guard feed.isAttached else { break }
            let taken = try unsafe sink.write(bytes, frames: made)
            if taken <= 0 {
                refusals += 1
                if refusals < 3 { continue }
                break
            }
            refusals = 0
            renderer.accept(frames: taken)
            feed.wrote(frames: taken == made ? frames : min(taken, frames), made: taken)
            filled += taken
            steady = renderer.ramp.remaining == 0 && !wasRamping ? steady + taken : 0
            rest -= taken
        }
        return room - rest
    }

    private func start(_ feed: Feed) throws(SinkFailure) {
        try sink.start()
        device = .running
        dryAt = nil
        if roster.master == slot, isStarved { tell(.resumed(ring: feed.ring.id, frame: feed.heard)) }
        isStarved = false
        line = HeardClock.Line(
            ring: feed.ring.id, frame: feed.heard, at: .now, rate: feed.ring.format.sampleRate,
            limit: feed.given, running: true)
        progressAt = line.at
        publish(feed)
    }

    // MARK: Heard

    /// Renews the line by the device's clock.
    func observe(_ feed: Feed, unheard: Int) {
        let before = feed.heard
        feed.note(unheard: unheard)
        line.at = .now
        line.frame = feed.heard
        line.limit = feed.given
        if feed.heard > before {
            isRecovering = false
            progressAt = line.at
        }
        publish(feed)
        watchOthers(feed)
    }

    private func watchOthers(_ feed: Feed) {
        let late = laggards.check(
            feed.ring, slot: slot, heard: feed.heard, at: line.at, counts: !sink.isUntimed)
        guard let late else { return }
        roster.setFailing(late, true)
        roster.wakes[late].signal()
        tell(.leftBehind(slot: late))
    }

    /// Publishes the line, tells marks, and tells the line where it broke or drifted, unless that is `isPassing`.
    func publish(_ feed: Feed, isPassing: Bool = false) {
        roster.clocks[slot].publish(line)
        tellMarks(feed)
        guard roster.master == slot, !isPassing else { return }
        if let told = toldLine, told.ring == line.ring, told.running == line.running {
            let since = line.at - told.at
            let drift = Double(line.frame - told.frame) - since.inSeconds * Double(line.rate)
            // Untimed, every second of sound would be news, and there are a thousand in a second.
            let isNews = sink.isUntimed ? since >= .milliseconds(100) : abs(drift) > 0.1 * Double(line.rate)
            if line.running, !isNews { return }
            if !line.running, told.frame == line.frame { return }
        }
        toldLine = line
        tell(.clock(ring: line.ring, frame: line.frame, at: line.at, running: line.running))
    }

    private func tellMarks(_ feed: Feed) {
        guard line.running || feed.isHeardOut else { return }
        while let mark = feed.nextHeardMark(telling: roster.master == slot) {
            tell(.mark(ring: feed.ring.id, mark, at: line.time(of: mark.frame)))
        }
    }

    /// Publishes that the clock stands where it was heard; `isPassing` when it goes on at once.
    func stand(isPassing: Bool = false) {
        guard let feed else { return }
        line = HeardClock.Line(
            ring: feed.ring.id, frame: feed.heard, at: .now, rate: feed.ring.format.sampleRate,
            limit: feed.heard, running: false)
        publish(feed, isPassing: isPassing)
    }

    /// An output that becomes the master tells what the last one no longer could.
    private func checkMaster(_ feed: Feed) {
        let isMaster = roster.master == slot
        defer { wasMaster = isMaster }
        guard isMaster, !wasMaster else { return }
        feed.returnToUntoldMarks()
        toldLine = nil
        publish(feed)
    }

    // MARK: Ends

    /// All that the ring gives is with the device.
    private func finishing(_ feed: Feed, unheard: Int) -> Pause {
        if unheard > 0, device == .running { return .time(duration(ofFrames: unheard)) }
        if device == .running { haltDevice() }
        feed.note(unheard: 0)
        return finished(feed)
    }

    private func finished(_ feed: Feed) -> Pause {
        guard feed.isHeardOut else { return .forever }
        if let next = feed.ring.successor {
            // A device takes its time for another format; what only counts goes on without a gap.
            let isPassing = sink is ClockSink
            stand(isPassing: isPassing)
            feed.detach()
            self.feed = nil
            take(next, isPassing: isPassing)
            return self.feed == nil ? .forever : .time(.zero)
        }
        stand()
        if roster.master == slot, feed.ring.takeEndTelling() { tell(.ended(ring: feed.ring.id)) }
        return .forever
    }

    /// The ring is empty but not ended: what is with the device plays on, then the device rests.
    private func running(dry feed: Feed, unheard: Int) -> Pause {
        guard device == .running else { return .forever }
        if unheard > 0 { return .time(duration(ofFrames: unheard)) }
        starve(feed)
        return .forever
    }

    func starve(_ feed: Feed) {
        haltDevice()
        stand()
        if !isStarved, roster.master == slot { tell(.starved(ring: feed.ring.id, frame: feed.heard)) }
        isStarved = true
    }

    private func idleUntimed(_ feed: Feed, wrote: Int) -> Pause {
        if feed.isWrittenOut {
            if device == .running { haltDevice() }
            return finished(feed)
        }
        if wrote > 0 {
            dryAt = nil
            return .time(.zero)
        }
        guard device == .running else { return .forever }
        let dryAt = self.dryAt ?? .now
        self.dryAt = dryAt
        let left = dryAt + Self.untimedPatience - .now
        if left > .zero { return .time(left) }
        starve(feed)
        return .forever
    }

    /// An untimed output is always ahead of the decoder; it counts as starved when nothing came for that long.
    private static let untimedPatience = Duration.milliseconds(100)
}
