import Base
import Glibc

/// Changes of gain and breaks without clicks, where the device gives back what it has not played.
extension OutputLoop {
    /// Goes to a gain: by the card's own control, else in a short ramp, at once where the device gives frames back and
    /// with the next that are written where it does not.
    func change(_ gain: Float) {
        self.gain = gain
        mixer?.set(gain: gain)
        guard device == .running, let renderer else {
            renderer?.ramp.jump(to: softwareGain)
            return
        }
        if renderer.ramp.target == softwareGain { return }
        if let feed { _ = takeBack(feed) }
        renderer.ramp.go(to: softwareGain)
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
        guard let fade = writeFade(feed, behind: 0), fade.padding > 0, (try? sink.start()) != nil else {
            return
        }
        device = .running
        wait(frames: fade.frames + 1)
        haltDevice(padding: fade.padding)
    }

    /// Takes back what lies beyond the next 10 ms; returns the frames that remain, nil where none came back.
    private func takeBack(_ feed: Feed) -> Int? {
        guard feed.isAttached, sink.canRewind, let format, let (_, unheard) = try? sink.status() else {
            return nil
        }
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

    /// Fades out and waits until that is played. Returns the frames of silence that were written behind it.
    private func fadeOut(_ feed: Feed) -> Int {
        guard let remaining = takeBack(feed), let fade = writeFade(feed, behind: remaining) else { return 0 }
        wait(frames: remaining + fade.frames)
        return fade.padding
    }

    /// Writes 5 ms that go to silence, then silence, behind so many frames; nil where that cannot be, such as when
    /// another output has detached this one: what lies in the ring may be written over by then.
    private func writeFade(_ feed: Feed, behind remaining: Int) -> (frames: Int, padding: Int)? {
        guard feed.isAttached, let format, let renderer else { return nil }
        let rate = format.audio.sampleRate
        // Far behind a recent change of gain, a fade would come too late: better to cut.
        guard remaining < rate * 3 / 100 else { return nil }
        let length = rate / 200
        let source = unsafe feed.readable(atMost: length)
        let frames = source.count / feed.ring.format.channels
        guard let samples = source.baseAddress, frames > 0 else { return nil }
        renderer.ramp.fadeOut(frames: frames)
        let fade = unsafe renderer.render(samples, frames: frames)
        guard let taken = try? unsafe sink.write(fade, frames: frames), taken == frames else { return nil }
        feed.wrote(frames: frames)
        let silence = min(rate / 50, renderer.capacity)
        let padding = (try? unsafe sink.write(renderer.silence(frames: silence), frames: silence)) ?? 0
        return (frames, padding)
    }

    /// Waits while the device plays so many frames: milliseconds.
    private func wait(frames: Int) {
        guard let format else { return }
        usleep(UInt32(frames * 1_000_000 / max(1, format.audio.sampleRate)))
    }
}
