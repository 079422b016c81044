import Base
import Synchronization

/// The decode thread's commands and the one place where it sleeps.
final class DecodeInbox: Sendable {
    private struct State {
        var commands: [DecodeCommand] = []
        var isStarted = false
    }

    private let state = Mutex(State())
    /// Signalled by commands, by sources with new bytes and by rings with room.
    let wake = WakePoint()

    /// Adds a command; any thread. True when the thread must be started: with the first item.
    func post(_ command: DecodeCommand) -> Bool {
        let mustStart = state.withLock { state in
            state.commands.append(command)
            guard !state.isStarted, case .open = command else { return false }
            state.isStarted = true
            return true
        }
        wake.signal()
        return mustStart
    }

    /// Takes the commands, in order; the decode thread only.
    func takeAll() -> [DecodeCommand] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            defer { state.commands = [] }
            return state.commands
        }
    }
}
