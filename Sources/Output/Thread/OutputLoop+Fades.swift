import Base
import Glibc

/// Changes of gain and breaks without clicks, where the device gives back what it has not played.
extension OutputLoop {
    /// Goes to a gain in a short ramp: at once where the device gives frames back, else with the next written.
    func change(_ gain: Float) {
        self.gain = gain
        guard device == .running, let renderer else {
            renderer?.ramp.jump(to: gain)
            return
        }
        if let feed { _ = takeBack(feed) }
        renderer.ramp.go(to: gain)
    }

    /// Stops the device, faded out within 15 ms where that can be.
    func fadeOutAndHalt() {
        guard sink.allowsFades, device == .running, let feed else { return haltDevice() }
        haltDevice(padding: fadeOut(feed))
    }

    /// Stops the device where what it holds will not be heard: faded out where that can be.
    func cut() {
        guard sink.fadesCuts, let feed else { return haltDevice() }
        if device == .running {
            haltDevice(padding: fadeOut(feed))
        } else {
            fadeOutAfterPause(feed)
        }
    }

    /// A recording that was paused keeps its last sample: what it ends with fades out now.
    private func fadeOutAfterPause(_ feed: Feed) {
        guard !sink.allowsFades, device == .ready, filled == 0, feed.heard > 0 else { return }
        let padding = fadeOut(feed, remaining: 0)
        guard padding > 0, (try? sink.start()) != nil, let format else { return }
        device = .running
        usleep(UInt32(1_000_000 / 200 + 1_000_000 / max(1, format.audio.sampleRate)))
        haltDevice(padding: padding)
    }

    /// Takes back what lies beyond the next 10 ms; returns the frames that remain, nil where none came back.
    private func takeBack(_ feed: Feed) -> Int? {
        guard sink.canRewind, let format, let (_, unheard) = try? sink.status() else { return nil }
        observe(feed, unheard: unheard)
        let wanted = min(unheard - format.audio.sampleRate / 100, steady)
        guard wanted > 0 else { return nil }
        let taken = sink.rewind(frames: wanted)
        guard taken > 0 else { return nil }
        feed.takeBack(frames: taken)
        filled -= taken
        steady -= taken
        return unheard - taken
    }

    /// Writes 5 ms that go to silence, then silence, and waits until the first is played. Returns the frames
    /// of silence.
    private func fadeOut(_ feed: Feed) -> Int {
        guard let remaining = takeBack(feed) else { return 0 }
        return fadeOut(feed, remaining: remaining)
    }

    private func fadeOut(_ feed: Feed, remaining: Int) -> Int {
        guard let format, let renderer else { return 0 }
        let rate = format.audio.sampleRate
        // Far behind a recent change of gain, a fade would come too late: better to cut.
        guard remaining < rate * 3 / 100 else { return 0 }
        let length = rate / 200
        let source = unsafe feed.readable(atMost: length)
        let frames = source.count / feed.ring.format.channels
        guard let samples = source.baseAddress, frames > 0 else { return 0 }
        renderer.ramp.fadeOut(frames: frames)
        let fade = unsafe renderer.render(samples, frames: frames)
        guard let taken = try? unsafe sink.write(fade, frames: frames), taken == frames else { return 0 }
        feed.wrote(frames: frames)
        let silence = min(rate / 50, renderer.capacity)
        let padding = (try? unsafe sink.write(renderer.silence(frames: silence), frames: silence)) ?? 0
        usleep(UInt32((remaining + frames) * 1_000_000 / rate))
        return padding
    }
}
