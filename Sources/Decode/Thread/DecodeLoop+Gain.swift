import Base

/// How loud items are: gains, the limiter, and what is measured.
extension DecodeLoop {
    /// A change of gain takes that share of a second.
    private static let gainRamp = 20
    /// A loudness that was measured for so long is worth keeping, in seconds.
    private static let leastMeasured = 15.0
    /// A station is measured for so long, in seconds.
    private static let liveMeasured = 600.0
    /// A station that was not heard before comes to its gain within so many seconds.
    private static let liveGlide = 10

    func setSound(_ settings: SoundSettings) {
        sound = settings
        for stage in [current, fade?.outgoing] {
            guard let stage, stage.isStarted else { continue }
            measure(stage)
            stage.fader.go(to: factor(stage), frames: stage.format.sampleRate / Self.gainRamp)
        }
    }

    /// Sets the gain of an item that begins: at once, or from that of the item whose sound it goes on from.
    func setGain(of stage: Stage, after other: Stage?) {
        measure(stage)
        stage.fader.jump(to: other?.fader.current ?? factor(stage))
        stage.fader.go(to: factor(stage), frames: stage.format.sampleRate / Self.gainRamp)
        if other == nil { limiter.reset() }
    }

    func factor(_ stage: Stage) -> Float {
        let tags = stage.information?.tags.replayGain ?? ReplayGain()
        return Fader.factor(decibels: GainChoice.decibels(sound, tags: tags, stage.loudness))
    }

    /// Makes of what was decoded what is heard.
    func shape(_ samples: UnsafeMutableBufferPointer<Float>, of stage: Stage) {
        let channels = stage.format.channels
        if scan == nil { unsafe stage.meter?.add(UnsafeBufferPointer(samples)) }
        let isLouder = stage.fader.peak > 1 || fade != nil || !limiter.isIdle
        unsafe stage.fader.apply(to: samples, channels: channels)
        unsafe fade?.mix(into: samples)
        unsafe scan?.shape(samples, channels: channels)
        if isLouder { unsafe limiter.apply(to: samples, channels: channels) }
        if let ring = rings.ring { unsafe announcement?.mix(into: samples, at: rings.produced, of: ring) }
    }

    // MARK: Measuring

    /// Begins to measure an item whose loudness matters and is not known well.
    private func measure(_ stage: Stage) {
        guard let information = stage.information, stage.meter == nil else { return }
        let tags = information.tags.replayGain
        guard GainChoice.needsMeasuring(sound, tags: tags, stage.loudness) else { return }
        let known = stage.loudness.measured?.seconds ?? 0
        guard known < (information.duration.map { $0 * 0.9 } ?? Self.liveMeasured) else { return }
        stage.meter = LoudnessMeter(stage.format)
    }

    /// Tells what a station's loudness is, after a while and again when it is known well.
    func tellMeasured(_ stage: Stage) {
        guard let meter = stage.meter, stage.item.source.information?.isLive == true else { return }
        if stage.loudness.measured == nil, meter.seconds >= Self.leastMeasured, let result = meter.result {
            tell(.measured(key: stage.loudness.key, result))
            stage.loudness.measured = result
            stage.fader.go(to: factor(stage), frames: stage.format.sampleRate * Self.liveGlide)
        } else if meter.seconds >= Self.liveMeasured {
            finishMeasuring(stage)
        }
    }

    /// Tells what was measured of an item that is over, if it is worth keeping.
    func finishMeasuring(_ stage: Stage) {
        guard let meter = stage.meter else { return }
        stage.meter = nil
        let isWhole = stage.framesLeft == 0
        let known = stage.item.loudness.measured?.seconds ?? 0
        guard isWhole || meter.seconds >= max(Self.leastMeasured, known), let result = meter.result else {
            return
        }
        tell(.measured(key: stage.loudness.key, result))
    }
}
