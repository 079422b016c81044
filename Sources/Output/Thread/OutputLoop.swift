import Base
// For `pollfd`, which a release build finds in the module of whoever included <poll.h> first.
import CALSA
import CLinux
import Glibc

/// The life of one output: its device, its reading end of the ring, its clock. Confined to its thread.
///
/// Each turn takes the commands, then does all that can be done now, then sleeps until the device has room
/// for a period, something is produced, or a command comes. Paused, stopped or starved, no timer is armed.
@safe final class OutputLoop {
    /// What the device does.
    enum Device { case closed, ready, running }

    /// What ends a sleep, apart from commands.
    enum Pause: Equatable {
        case forever
        case time(Duration)
        /// Room for a period in the device.
        case room(frames: Int)
    }

    // MARK: Fixed

    let slot: Int
    let spec: OutputSpec
    let inbox: OutputInbox
    let roster: OutputRoster
    let events: @Sendable (OutputEvent) -> Void
    /// True when somebody may have signalled.
    var isWoken = true
    let poll = UnsafeMutableBufferPointer<pollfd>.allocate(capacity: 32)

    // MARK: Wishes

    var wantsRunning = false
    var gain: Float
    var isEnabled = true

    // MARK: Device

    var sink: any Sink
    var device = Device.closed
    var format: SinkFormat?
    var renderer: Renderer?
    /// Device frames written since it was last empty.
    var filled = 0
    /// Frames at the end of those that were written at a gain that does not change.
    var steady = 0
    var underruns = 0
    /// Why the automatic output plays to null.
    var fallback: String?
    /// True from an underrun until the device plays again; a second one meanwhile means a dead device.
    var isRecovering = false
    /// Writes in a row that took nothing.
    var refusals = 0
    /// When the device was last seen to play.
    var progressAt = MonotonicTime(nanoseconds: 0)
    var isFailing = false
    /// Why it could not be opened last.
    var failure: String?
    var attempts = 0
    var retryAt: MonotonicTime?
    var toldTrouble: String?
    /// Nil where the volume is done in software, and before the device is open.
    var mixer: AlsaMixer?
    var mixerTrouble: String?
    /// True while no volume was chosen, so that the mixer's own counts.
    var adoptsMixer: Bool

    // MARK: Sound

    var feed: Feed?
    /// Detached while failing, as others play on: asks for the ring when the device is back.
    var isWaitingForRing = false
    var isStarved = false
    /// Since when an untimed output has found nothing to write.
    var dryAt: MonotonicTime?
    var wasMaster = false
    /// True when the next frames do not follow what was heard last: they fade in where that is allowed.
    var fadesIn = false
    var line = HeardClock.Line()
    var toldLine: HeardClock.Line?
    /// How this output follows the master's clock.
    var drift = DriftControl()
    /// Until then this output, which was ahead of the master, stays silent.
    var heldUntil: MonotonicTime?
    var laggards = LaggardWatch()

    init(
        slot: Int, spec: OutputSpec, gain: Float, isGainChosen: Bool, inbox: OutputInbox,
        roster: OutputRoster, events: @escaping @Sendable (OutputEvent) -> Void
    ) {
        self.slot = slot
        self.spec = spec
        self.gain = gain
        adoptsMixer = !isGainChosen
        self.inbox = inbox
        self.roster = roster
        self.events = events
        sink = Sinks.make(spec.kind)
    }

    deinit { unsafe poll.deallocate() }

    /// Runs for the life of the process.
    func run() -> Never {
        // Whatever else the machine does: a card that was not fed in time is heard.
        if sink is AlsaSink { Thread.beginRealtime() }
        while true {
            if isWoken { inbox.wake.clear() }
            while let command = inbox.next() { perform(command) }
            var pause = step()
            if pause != .forever, case .room = pause {
            } else if let feed {
                // Looks once more after asking to be woken, or frames that came between would be missed.
                feed.becomeHungry()
                pause = step()
            }
            checkTrouble()
            sleep(pause)
        }
    }

    /// True where others may have the device during a pause.
    var isReleasedOnPause: Bool {
        if case .alsa(_, let settings) = spec.kind { settings.isReleasedOnPause } else { false }
    }

    func tell(_ kind: OutputEvent.Kind) { events(OutputEvent(slot: slot, kind: kind)) }

    // MARK: Commands

    private func perform(_ command: OutputCommand) {
        switch command {
        case .play(let ring): play(ring)
        case .join(let ring): if feed == nil { play(ring) }
        case .run(let running):
            // A pause that was taken back before it took effect broke no line: it is told anew all the same,
            // since whoever asks to run waits for the word.
            if running { toldLine = nil }
            wantsRunning = running
        case .gain(let gain):
            adoptsMixer = false
            change(gain)
        case .enable(let enabled): enable(enabled)
        case .prepare: prepare()
        case .stop(let done):
            stop()
            done?.signal()
        }
    }

    private func play(_ ring: SampleRing) {
        if let feed, feed.isAttached, ring.follows(feed.ring) { return }
        leave()
        guard isEnabled else {
            var reader = RingReader(ring: ring, slot: slot)
            reader.detach()
            return
        }
        take(ring)
    }

    /// Takes the reading end of a ring, if the producer attached this slot.
    func take(_ ring: SampleRing, isPassing: Bool = false) {
        let feed = Feed(ring: ring, slot: slot, wake: inbox.wake)
        guard feed.isAttached else {
            tell(.wantsRing)
            return
        }
        self.feed = feed
        if !isFailing { roster.setFailing(slot, false) }
        isWaitingForRing = false
        isStarved = false
        wasMaster = roster.master == slot
        if device != .closed { connect() }
        stand(isPassing: isPassing && device != .closed)
    }

    private func enable(_ enabled: Bool) {
        guard enabled != isEnabled else { return }
        isEnabled = enabled
        if enabled { return tell(.wantsRing) }
        shut()
        sink.leave()
        mixer = nil
    }

    private func stop() {
        wantsRunning = false
        shut()
    }

    private func shut() {
        leave()
        closeDevice()
        retryAt = nil
        attempts = 0
        if isFailing { setFailing(false) }
        isWaitingForRing = false
    }

    private func leave() {
        cut()
        feed?.detach()
        feed = nil
        isStarved = false
        fadesIn = false
        roster.clocks[slot].publish(nil)
        toldLine = nil
    }
}
