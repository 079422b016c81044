import Base

extension DecodeLoop {
    /// Serves what came, in order; of several seeks only the last.
    func serveCommands() {
        let commands = deferred + inbox.takeAll()
        deferred = []
        for (index, command) in commands.enumerated() {
            if case .seek = command, commands[(index + 1)...].contains(where: \.makesSeekUseless) { continue }
            serve(command)
        }
    }

    /// Serves what can be served while a decoder waits for bytes; true when the wait is to be abandoned.
    func mustAbandon() -> Bool {
        for command in inbox.takeAll() {
            switch command {
            // That ends the item whose bytes are waited for.
            case .next(nil) where isFadeRevocable: deferred.append(command)
            case .setSlots, .setSound, .attach, .next, .announce:
                deferred.isEmpty ? serve(command) : deferred.append(command)
            case .seek(let token, let seconds):
                if let stage = current, stage.item.token == token, stage.decoder == nil, deferred.isEmpty {
                    stage.startSeconds = seconds
                } else if isSeekable(token) {
                    deferred.append(command)
                } else {
                    tell(.seekRefused(token: token))
                }
            case .open, .stop, .scan, .skip, .endAnnouncement: deferred.append(command)
            }
        }
        return !deferred.isEmpty
    }

    private func serve(_ command: DecodeCommand) {
        switch command {
        case .open(let item):
            stop()
            current = stage(for: item)
        case .next(let item): setNext(item)
        case .skip(let token): skip(to: token)
        case .seek(let token, let seconds): seek(token, seconds)
        case .scan(let token, let direction): scan(token, direction)
        case .announce(let item, let shares): announce(item, shares)
        case .endAnnouncement: endAnnouncement()
        case .stop: stop()
        case .setSlots(let mask): slots = mask
        case .setSound(let settings): setSound(settings)
        case .attach(let slot):
            if let ring = rings.attach(slot: slot) { tell(.attached(slot: slot, ring)) }
        }
    }

    private func stop() {
        let wasPlaying = rings.ring != nil
        if let current { finishMeasuring(current) }
        endFade()
        scan = nil
        announcement = nil
        current = nil
        finished = nil
        next = nil
        prepared = nil
        rings.stop()
        if wasPlaying { flush() }
    }

    private func setNext(_ item: DecodeItem?) {
        if let item, item.token == next?.token { return }
        if item == nil, next == nil, isFadeRevocable { return revokeFade() }
        prepared = nil
        preparedAt = -1
        next = item
        // The item before ended already; while it is heard, the sound goes on.
        if rings.ring != nil, item != nil { followUp() }
    }

    /// Leaves what is heard for what follows it; nothing when that has failed meanwhile, which was told.
    private func skip(to token: Int) {
        let ready = prepared?.item.token == token ? prepared : nil
        // It may be mixed or decoded already, behind what is left.
        guard let item = [next, current?.item].compactMap(\.self).first(where: { $0.token == token }) else {
            return
        }
        stop()
        current = ready ?? stage(for: item)
        if let ready { play(ready) }
    }

    // MARK: Seeking

    /// True for the items that are heard, or will be, without anything else being asked for.
    private func isSeekable(_ token: Int) -> Bool {
        [current, finished?.stage, fade?.outgoing].contains { $0?.item.token == token }
    }

    private func seek(_ token: Int, _ seconds: Double) {
        scan = nil
        leaveFade(for: token)
        guard let stage = current, stage.item.token == token else {
            tell(.seekRefused(token: token))
            return
        }
        if stage.decoder == nil {
            stage.startSeconds = seconds
        } else if stage.isSeekable {
            seek(stage, seconds)
        } else {
            tell(.seekRefused(token: token))
        }
    }

    /// Makes an item that is still heard the current one, whatever was mixed or decoded after it.
    func leaveFade(for token: Int) {
        if token == fade?.outgoing.item.token { goBackInFade() } else { endFade() }
        if token == finished?.stage.item.token, token != current?.item.token { goBackToFinished() }
    }

    /// Makes the item before the current one current again; the current one follows it from its start.
    private func goBackToFinished() {
        guard let done = finished else { return }
        if let stage = current {
            next = stage.item
            prepared = nil
            preparedAt = -1
        }
        finished = nil
        current = done.stage
    }

    func seek(_ stage: Stage, _ seconds: Double) {
        flush()
        do throws(PlaybackFailure) {
            try stage.seek(toSeconds: seconds)
            // Interrupted: the command that did it decides what is played.
            if stage.reader.isInterrupted { return }
            goOn(stage)
            tell(.seeked(token: stage.item.token, seconds: stage.seconds))
        } catch {
            fail(stage, error)
        }
    }
}

extension DecodeCommand {
    /// True for a command after which a seek before it has no effect.
    fileprivate var makesSeekUseless: Bool {
        switch self {
        case .seek, .scan, .skip, .open, .stop: true
        case .next, .announce, .endAnnouncement, .setSlots, .setSound, .attach: false
        }
    }
}
