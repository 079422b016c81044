import Base

/// Opening and halting the device.
extension OutputLoop {
    /// Opens the device for the current ring; false when that has to be tried again later.
    func openDevice() -> Bool {
        guard let feed else { return false }
        if let retryAt, .now < retryAt { return false }
        return open(for: feed.ring.format) && device != .closed
    }

    func open(for source: AudioFormat) -> Bool {
        do {
            try openSink(for: source)
        } catch {
            failToOpen(error.reason)
            return false
        }
        retryAt = nil
        attempts = 0
        if isFailing {
            setFailing(false)
            tell(.back)
        }
        return true
    }

    /// Opens or adapts the device, and makes what renders for it.
    private func openSink(for source: AudioFormat) throws(SinkFailure) {
        let opened: SinkFormat
        do {
            opened = try sink.open(for: source)
        } catch {
            guard case .automatic = spec.kind, case .gone = error, let alsa = sink as? AlsaSink,
                !alsa.hasOpened
            else { throw error }
            let null = ClockSink(timed: true)
            fallback = "no sound card (\(error.reason)): playing to null, in real time"
            sink = null
            opened = try null.open(for: source)
        }
        let isNew = device == .closed || opened != format
        device = .ready
        filled = 0
        format = opened
        var ramp = renderer?.ramp ?? GainRamp()
        openMixer()
        ramp.jump(to: softwareGain)
        renderer = Renderer(
            inputs: source.channels, format: opened, capacity: max(opened.periodFrames, 1024), ramp: ramp)
        try feed?.connect(to: opened)
        if isNew {
            underruns = 0
            tell(.opened(device: sink.description, format: opened.audio))
            if let fallback { tell(.fallback(fallback)) }
        }
    }

    /// Adapts the open device to the current ring.
    func connect() {
        haltDevice()
        guard let feed, device != .closed else { return }
        _ = open(for: feed.ring.format)
    }

    /// Begins a recording's file before anything plays.
    func prepare() {
        guard let sink = sink as? ClockSink else { return }
        do { try sink.begin() } catch { tell(.failed(error.reason)) }
    }

    // MARK: Still

    /// Stops the device at once; what it has not played will be given again.
    /// `padding` frames of silence were written last.
    func haltDevice(always: Bool = false, padding: Int = 0) {
        guard device != .closed else { return }
        let wasRunning = device == .running
        do {
            if wasRunning || filled > 0 || always {
                let dropped = try sink.halt()
                if wasRunning { noteHalted(dropped.map { max(0, $0 - padding) }) }
            }
            device = .ready
        } catch {
            if wasRunning { noteHalted(nil) }
            abandon()
            tell(.lost(error.reason))
            failing()
        }
        filled = 0
        steady = 0
        heldUntil = nil
        drift.reset()
        feed?.rewindToHeard()
        renderer?.ramp.jump(to: softwareGain)
    }

    /// Where the device cannot tell what it dropped, the line tells what was heard.
    func noteHalted(_ dropped: Int?) {
        guard let feed else { return }
        if let dropped {
            feed.note(unheard: dropped)
        } else if let format, line.running {
            let frames = max(0, feed.given - line.frame(at: .now))
            feed.note(unheard: frames * format.audio.sampleRate / max(1, feed.ring.format.sampleRate))
        }
    }

    func pauseDevice() {
        guard device == .running || filled > 0 else { return }
        fadeOutAndHalt()
        fadesIn = sink.allowsFades
        stand()
    }

    /// A seek: the clock is told to stand where it was heard; where it goes on is told with the first sound.
    func flush(_ feed: Feed) {
        cut()
        stand()
        feed.jumpToFlush()
        line.frame = feed.heard
        line.limit = feed.heard
        roster.clocks[slot].publish(line)
        fadesIn = sink.fadesCuts
        isStarved = false
    }

    func closeDevice() {
        guard device != .closed || format != nil else { return }
        sink.close()
        device = .closed
        format = nil
        filled = 0
        tell(.closed)
    }
}
