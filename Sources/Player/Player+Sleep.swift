import Base

extension Player {
    /// Before it falls asleep it becomes quiet over that many seconds.
    static let sleepFade = 30.0
    private static let fadeStep = Duration.milliseconds(250)

    /// Unix time at which `checkSleep` is to be called next; nil when no sleep timer is set.
    package var sleepCheckAt: Double? {
        properties.sleepAt.value.map { at in
            at - Self.sleepFade > timing.unixTime ? at - Self.sleepFade : at
        }
    }

    /// Sets the sleep timer to a unix time; nil takes it away.
    package func setSleep(at unixTime: Double?) {
        properties.sleepAt.value = unixTime
        if unixTime == nil { setFade(1) }
        checkSleep()
    }

    /// Takes the sleep timer up again; what should have fallen asleep meanwhile does not wake up by itself.
    func restoreSleep(_ memory: PlayerMemory) -> PlayerMemory {
        guard let at = memory.sleepAt else { return memory }
        var memory = memory
        if at > timing.unixTime {
            setSleep(at: at)
        } else if memory.wish == .playing {
            memory.wish = .paused
        }
        return memory
    }

    /// Looks whether it is time to become quiet, or to fall asleep; call when the wall clock is set, too.
    package func checkSleep() {
        if let timer = sleepTimer { timing.cancel(timer) }
        sleepTimer = nil
        guard let at = properties.sleepAt.value else { return }
        let left = at - timing.unixTime
        if left <= 0.02 { return fallAsleep() }
        guard machine.wish == .playing, left <= Self.sleepFade else { return setFade(1) }
        setFade(left / Self.sleepFade)
        sleepTimer = timing.schedule(after: min(Self.fadeStep, .seconds(clamping: left))) { [weak self] in
            self?.checkSleep()
        }
    }

    /// A station is stopped; what has an end is paused, so that it can be heard on.
    private func fallAsleep() {
        properties.sleepAt.value = nil
        if machine.wish == .playing {
            endAnnouncements()
            if item?.isLive == true { stop() } else { pause() }
        }
        setFade(1)
    }

    /// Becomes loud over that many seconds, from silence.
    package func fadeIn(over seconds: Double) {
        guard seconds > 0 else { return setFade(1) }
        let start = timing.now
        setFade(0)
        func step() {
            if let timer = fadeTimer { timing.cancel(timer) }
            let share = (timing.now - start).inSeconds / seconds
            setFade(min(1, share))
            fadeTimer = share >= 1 ? nil : timing.schedule(after: Self.fadeStep) { step() }
        }
        step()
    }

    /// The user has set the volume: it is that at once.
    func endFadeIn() {
        guard let timer = fadeTimer else { return }
        timing.cancel(timer)
        fadeTimer = nil
        setFade(1)
    }

    private func setFade(_ fade: Double) {
        guard fade != self.fade else { return }
        self.fade = fade
        applyGain()
    }

    /// Lets clients set `player.sleepAt`.
    func addSleep(to table: PropertyTable) {
        table.settable["player.sleepAt"] = SettableProperty(kind: .other) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            if value == .null { return { self?.setSleep(at: nil) } }
            guard let at = value.number, let now = self?.timing.unixTime, at > now, at < now + 366 * 86_400
            else {
                throw CommandFailure(
                    .invalidParams,
                    "player.sleepAt is \(JSONText(value).string.prefix(64)); it must be null or a unix time that "
                        + "is still to come, within a year.")
            }
            return { self?.setSleep(at: at) }
        }
    }
}
