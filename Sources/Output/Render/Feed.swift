import Base

/// What one output plays: its reading end of a ring, at the device's rate. Belongs to one output thread.
final class Feed {
    let ring: SampleRing
    private var reader: RingReader
    private var resampler: Resampler?
    /// Device frames given to the device since it was last empty.
    private var givenToDevice = 0

    /// Takes the reading end that the producer attached at `slot`.
    init(ring: SampleRing, slot: Int, wake: EventDescriptor) {
        self.ring = ring
        reader = RingReader(ring: ring, slot: slot, wake: wake)
    }

    // MARK: State

    /// False once another reader has detached this one, or `detach` was called.
    var isAttached: Bool { reader.isAttached }

    /// The ring's frame that is heard next.
    var heard: Int { reader.heard }

    /// The ring's frame that is given to the device next.
    var given: Int { resampler?.givenFrame ?? reader.written }

    /// True when there is nothing to give to the device now.
    var isDry: Bool { reader.available <= 0 && resampler?.isEmpty ?? true }

    /// True when a seek threw away what was not heard.
    var mustFlush: Bool { reader.mustFlush }

    /// True when all of an ended ring is with the device.
    var isWrittenOut: Bool { resampler?.isWrittenOut ?? reader.isWrittenOut }

    /// True when all of an ended ring was heard.
    var isHeardOut: Bool {
        guard let resampler else { return reader.isHeardOut }
        return reader.isHeardOut || (reader.isWrittenOut && resampler.isHeardOut)
    }

    // MARK: Frames

    /// Prepares for a device; what the last one has not played is given again. Throws when a rate cannot be.
    func connect(to format: SinkFormat) throws(SinkFailure) {
        reader.rewindToHeard()
        givenToDevice = 0
        resampler = nil
        if format.audio.sampleRate == ring.format.sampleRate { return }
        resampler = Resampler(
            from: ring.format, to: format.audio.sampleRate, bufferFrames: format.bufferFrames,
            at: reader.heard)
        if resampler == nil {
            throw .gone("cannot convert \(ring.format.sampleRate) Hz to \(format.audio.sampleRate) Hz")
        }
    }

    /// Frames of the source's channels at the device's rate, in one piece; empty when there are none now.
    func readable(atMost frames: Int) -> UnsafeBufferPointer<Float> {
        if let resampler { return unsafe resampler.readable(atMost: frames, from: &reader) }
        return unsafe reader.readable(atMost: frames)
    }

    /// Notes frames that the device took; `made` of them came out of `frames` by stretching.
    func wrote(frames: Int, made: Int? = nil) {
        givenToDevice += made ?? frames
        if let resampler { resampler.wrote(frames: frames) } else { reader.wrote(frames: frames) }
    }

    /// Notes that the device has not played that many of its frames yet.
    func note(unheard: Int) {
        let waiting = max(0, min(unheard, givenToDevice))
        if let resampler {
            let frame = resampler.advanceHeard(to: resampler.written - waiting)
            reader.advanceHeard(to: resampler.isHeardOut ? reader.written : frame)
        } else {
            reader.advanceHeard(to: reader.written - waiting)
        }
    }

    /// Takes back the last frames that the device took.
    func takeBack(frames: Int) {
        givenToDevice -= frames
        if let resampler { resampler.takeBack(frames: frames) } else { reader.takeBack(frames: frames) }
    }

    /// The device is empty: what it has not played will be given again.
    func rewindToHeard() {
        givenToDevice = 0
        if let resampler { resampler.rewindToHeard() } else { reader.rewindToHeard() }
    }

    /// Goes to where the last seek's sound begins; the device is empty.
    func jumpToFlush() {
        givenToDevice = 0
        reader.jumpToFlush()
        resampler?.reset(at: reader.heard)
    }

    // MARK: The ring's news

    /// Goes on at a later frame of the ring, which the device has not heard; the device is empty.
    func skip(to frame: Int) {
        givenToDevice = 0
        reader.skip(to: frame)
        resampler?.reset(at: reader.heard)
    }

    /// Asks for a signal at the next frames, end or successor.
    func becomeHungry() { reader.becomeHungry() }

    /// The next mark that was heard and not told yet.
    func nextHeardMark(telling: Bool) -> Mark? { reader.nextHeardMark(telling: telling) }

    /// Where the next mark lies in the ring; nil when none is known.
    var nextMarkFrame: Int? { reader.nextMarkFrame }

    /// Goes back to the first mark that nobody told.
    func returnToUntoldMarks() { reader.returnToUntoldMarks() }

    /// Leaves the ring.
    func detach() { reader.detach() }
}
