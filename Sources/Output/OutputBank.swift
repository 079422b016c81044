package import Base
import Synchronization

/// All outputs of the daemon, as the control side sees them; each plays on a thread of its own.
///
/// Confined to the control thread, but for `heardFrame`. Nothing here waits for a device. Threads start with
/// the first ring; ALSA is not touched before.
package final class OutputBank {
    /// A frame of a ring, as the master output's clock has it.
    package struct Heard: Equatable, Sendable {
        /// The ring's `id`.
        package let ring: Int
        package let frame: Int
        package let running: Bool
    }

    package let specs: [OutputSpec]
    private let roster: OutputRoster
    private let inboxes: [OutputInbox]
    private let events: @Sendable (OutputEvent) -> Void
    private var started: [Bool]
    private var gain: Float = 1
    private var isGainChosen = false
    private var running = false

    /// Makes the outputs; recordings begin their files at once. `events` is called on the outputs' threads.
    /// Throws when there are no descriptors or threads left.
    package init(_ specs: [OutputSpec], events: @escaping @Sendable (OutputEvent) -> Void)
        throws(SystemError)
    {
        precondition(specs.count <= OutputSpec.limit)
        self.specs = specs
        self.events = events
        roster = try OutputRoster(count: specs.count)
        inboxes = roster.wakes.map { OutputInbox(wake: $0) }
        started = Array(repeating: false, count: specs.count)
        for (slot, spec) in specs.enumerated() {
            if case .wav = spec.kind { try post(slot, .prepare) }
        }
    }

    // MARK: Who plays

    /// The slots that a producer attaches to each new ring.
    package var enabledSlots: [Int] { roster.enabledSlots }

    /// The output whose clock counts: the first enabled one that works; nil when none is enabled.
    package var masterSlot: Int? { roster.master }

    /// The slot of an output; nil for an unknown name.
    package func slot(named name: String) -> Int? { specs.firstIndex { $0.name == name } }

    /// True when that output is switched on.
    package func isEnabled(_ slot: Int) -> Bool { roster.isEnabled(slot) }

    /// Switches an output on or off; false for an unknown name. Switched on, it tells `wantsRing`.
    package func setEnabled(_ name: String, _ enabled: Bool) throws(SystemError) -> Bool {
        guard let slot = slot(named: name) else { return false }
        guard roster.isEnabled(slot) != enabled else { return true }
        roster.setEnabled(slot, enabled)
        try post(slot, .enable(enabled))
        return true
    }

    // MARK: Playing

    /// Plays a ring in place of whatever is playing; the producer has attached the enabled slots. A ring that
    /// follows the current one by `successor` is left to the outputs, which go over by themselves.
    package func play(_ ring: SampleRing) throws(SystemError) {
        for slot in specs.indices where roster.isEnabled(slot) || ring.heard(slot: slot) != nil {
            try post(slot, .play(ring))
        }
    }

    /// Lets one output read the current ring, to which the producer has attached it after `wantsRing`.
    package func join(_ slot: Int, _ ring: SampleRing) throws(SystemError) {
        guard specs.indices.contains(slot) else { return }
        try post(slot, .join(ring))
    }

    /// Lets the outputs go, or stops them within milliseconds at what is heard.
    package func setRunning(_ running: Bool) {
        self.running = running
        for slot in started.indices where started[slot] { inboxes[slot].post(.run(running)) }
    }

    /// Wakes the outputs after a producer's flush; they drop what they hold.
    package func flushed() { for wake in roster.wakes { wake.signal() } }

    /// Drops everything, frees the devices and leaves the rings; as if paused from then on.
    package func stop() {
        running = false
        for slot in started.indices where started[slot] { inboxes[slot].post(.stop(nil)) }
    }

    /// Sets the linear gain; reached in a ramp of 8 ms. Muted is 0.
    package func setGain(_ gain: Float) {
        self.gain = gain
        isGainChosen = true
        for slot in started.indices where started[slot] { inboxes[slot].post(.gain(gain)) }
    }

    /// The gain set so far was nobody's choice: cards whose own volume is used keep theirs, and tell it.
    package func leaveGainToDevices() { isGainChosen = false }

    /// What the master output plays at this moment; nil when it reads no ring. Any thread may ask.
    package var heard: Heard? {
        guard let slot = roster.master, let line = roster.clocks[slot].current else { return nil }
        return Heard(ring: line.ring, frame: line.frame(at: .now), running: line.running)
    }

    /// The frame that is heard at this moment; nil when the master reads no ring.
    package func heardFrame() -> Int? { heard?.frame }

    /// Stops and waits until every output is done with its device and file, at most that long; before exit.
    package func shutDown(within limit: Duration) {
        let deadline = MonotonicTime.now + limit
        running = false
        let points = started.indices.filter { started[$0] }.map { ($0, WakePoint()) }
        for (slot, point) in points { inboxes[slot].post(.stop(point)) }
        for (_, point) in points { point.wait(until: deadline) }
    }

    // MARK: Threads

    private func post(_ slot: Int, _ command: OutputCommand) throws(SystemError) {
        if !started[slot] { try start(slot) }
        inboxes[slot].post(command)
    }

    private func start(_ slot: Int) throws(SystemError) {
        let (spec, inbox, roster, events) = (specs[slot], inboxes[slot], roster, events)
        let (gain, isGainChosen) = (gain, isGainChosen)
        inbox.post(.run(running))
        if !roster.isEnabled(slot) { inbox.post(.enable(false)) }
        // At most 15 bytes of the name fit (pthread_setname_np(3)).
        try Thread.start(name: String("jb-out-\(spec.name)".prefix(15))) {
            OutputLoop(
                slot: slot, spec: spec, gain: gain, isGainChosen: isGainChosen, inbox: inbox, roster: roster,
                events: events
            ).run()
        }
        started[slot] = true
    }
}
