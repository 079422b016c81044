import Base

/// Losing the device, and finding it again.
extension OutputLoop {
    /// Tells what is wrong though the device plays, and when that is over.
    func checkTrouble() {
        let trouble = sink.trouble ?? mixerTrouble
        guard trouble != toldTrouble else { return }
        toldTrouble = trouble
        tell(.remark(trouble))
    }

    /// The device ran out of frames: our fault when there were some, else the end of what there was. Or the machine
    /// slept, which is nobody's and does not count.
    func recover(_ feed: Feed, counts: Bool) -> Pause {
        if isRecovering {
            lose("it takes no more frames")
            return pauseUntilRetry()
        }
        noteHalted(nil)
        // Its clock and ours may differ by a little when all was played.
        if feed.isDry, feed.given - feed.heard < feed.ring.format.sampleRate / 100 { feed.note(unheard: 0) }
        let isDry = feed.isDry && feed.given == feed.heard
        isRecovering = !isDry
        device = .ready
        haltDevice(always: true)
        if isDry {
            if !feed.isWrittenOut { starve(feed) }
            return .time(.zero)
        }
        // A device that is gone says the same first.
        do { try sink.prepare() } catch {
            lose(error.reason)
            return pauseUntilRetry()
        }
        if counts {
            underruns += 1
            tell(.underrun(count: underruns))
        }
        stand()
        return .time(.zero)
    }

    /// The device went away: what was heard is known as far as its clock ran.
    func lose(_ reason: String) {
        if device == .running { noteHalted(nil) }
        abandon()
        feed?.rewindToHeard()
        stand()
        tell(.lost(reason))
        failing()
    }

    /// Told once, and again when it is for another reason: what was unplugged may be taken by another program.
    func failToOpen(_ reason: String) {
        abandon()
        if !isFailing || reason != failure { tell(.failed(reason)) }
        failure = reason
        failing()
    }

    func abandon() {
        sink.close()
        mixer = nil
        device = .closed
        format = nil
        filled = 0
        isRecovering = false
    }

    /// Plans the next attempt; where another output plays on, it is not held up meanwhile.
    func failing() {
        setFailing(true)
        let waits: [Int] = [100, 250, 500, 1000, 2000]
        retryAt = .now + .milliseconds(waits[min(attempts, waits.count - 1)])
        attempts += 1
        guard roster.hasOther(than: slot), let feed else { return }
        feed.detach()
        self.feed = nil
        isWaitingForRing = true
        roster.clocks[slot].publish(nil)
    }

    func setFailing(_ failing: Bool) {
        isFailing = failing
        roster.setFailing(slot, failing)
    }

    func pauseUntilRetry() -> Pause {
        guard let retryAt, wantsRunning else { return .forever }
        return .time(max(.zero, retryAt - .now))
    }

    /// Looks whether the device is back, while others play.
    func retryWithoutRing() -> Pause {
        if let retryAt, .now < retryAt { return pauseUntilRetry() }
        guard open(for: format?.audio ?? AudioFormat(sampleRate: 44_100, channels: 2)) else {
            return pauseUntilRetry()
        }
        isWaitingForRing = false
        tell(.wantsRing)
        return .forever
    }

    /// Another output found this one stuck and detached it.
    func rejoin() {
        haltDevice()
        feed = nil
        roster.clocks[slot].publish(nil)
        tell(.wantsRing)
    }
}
