import Base

extension Player {
    /// What is worth keeping now; cheap.
    package var memory: PlayerMemory {
        var memory = PlayerMemory()
        memory.wish = machine.wish
        memory.index = queue.index
        memory.nextID = queue.nextID
        memory.volume = properties.volume.value
        memory.isMuted = properties.muted.value
        memory.modes = queue.modes
        memory.sound = sound
        memory.sleepAt = properties.sleepAt.value
        let isStanding = machine.opening == nil
        if let interlude {
            memory.wish = interlude.before.wish
            memory.position = interlude.before.resting == nil ? interlude.before.start : 0
            return memory
        }
        memory.position = item?.isLive == true ? 0 : isStanding ? machine.start : position
        return memory
    }

    /// Where the position's line is fastened; another one when it broke.
    package var anchor: PositionAnchor { properties.position.value }

    /// Begins to note the queue's edits; `takeQueueEdits` must be called from time to time then.
    package func recordQueueEdits() { queue.isRecording = true }

    /// True when there are edits to take.
    package var hasQueueEdits: Bool { queue.hasEdits }

    /// Takes the queue's edits since the last time, oldest first.
    package func takeQueueEdits() -> [QueueEdit] { queue.takeEdits() }

    /// Takes up what was kept, before anything else is done. `round`: the order of chance, if it was shuffled.
    package func restore(
        _ memory: PlayerMemory, entries: [QueueEntry], round: [Int64] = [], resume: ResumePolicy = .paused
    ) {
        queue.restore(
            entries, index: memory.index, nextID: memory.nextID, modes: memory.modes, round: round)
        setVolume(memory.volume)
        setMuted(memory.isMuted)
        setSound(memory.sound)
        let memory = restoreSleep(memory)
        if queue.current != nil, memory.wish == .stopped || resume != .stopped {
            machine.start = memory.position.isFinite ? max(0, memory.position) : 0
            playhead.stand(at: machine.start, timing)
            if memory.wish != .stopped { machine.wish = .paused }
        }
        setModes(memory.modes)
        guard memory.wish == .playing, resume == .playing, queue.current != nil else { return }
        noteStart()
        send(.play)
        publish()
    }
}
