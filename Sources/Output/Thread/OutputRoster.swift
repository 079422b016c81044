import Base
import Synchronization

/// What all outputs of a bank know of one another: who is enabled, who works, who is the master clock.
final class OutputRoster: Sendable {
    private struct State {
        var enabled: [Bool]
        var failing: [Bool]
    }

    let clocks: [HeardClock]
    let wakes: [EventDescriptor]
    private let state: Mutex<State>
    private let masterSlot: Atomic<Int>

    /// All enabled, none failing. Throws when there are no descriptors left.
    init(count: Int) throws(SystemError) {
        var wakes: [EventDescriptor] = []
        for _ in 0..<count { wakes.append(try EventDescriptor()) }
        self.wakes = wakes
        clocks = (0..<count).map { _ in HeardClock() }
        state = Mutex(
            State(
                enabled: Array(repeating: true, count: count), failing: Array(repeating: false, count: count))
        )
        masterSlot = Atomic(count == 0 ? -1 : 0)
    }

    /// The first enabled output that works, else the first enabled one; nil when none is enabled. Any thread.
    var master: Int? {
        let slot = masterSlot.load(ordering: .acquiring)
        return slot < 0 ? nil : slot
    }

    /// The slots of the enabled outputs, in order.
    var enabledSlots: [Int] {
        state.withLock { state in state.enabled.indices.filter { state.enabled[$0] } }
    }

    /// True when that output is enabled.
    func isEnabled(_ slot: Int) -> Bool { state.withLock { $0.enabled[slot] } }

    /// True when another enabled output works, so that a failing one need not be waited for.
    func hasOther(than slot: Int) -> Bool {
        state.withLock { state in
            state.enabled.indices.contains { $0 != slot && state.enabled[$0] && !state.failing[$0] }
        }
    }

    /// Switches an output on or off.
    func setEnabled(_ slot: Int, _ enabled: Bool) { change { $0.enabled[slot] = enabled } }

    /// Tells that an output's device works or not.
    func setFailing(_ slot: Int, _ failing: Bool) { change { $0.failing[slot] = failing } }

    private func change(_ body: (inout State) -> Void) {
        let changed = state.withLock { state in
            body(&state)
            let working = state.enabled.indices.first { state.enabled[$0] && !state.failing[$0] }
            let master = working ?? state.enabled.firstIndex(of: true) ?? -1
            return masterSlot.exchange(master, ordering: .acquiringAndReleasing) != master
        }
        if changed { for wake in wakes { wake.signal() } }
    }
}
