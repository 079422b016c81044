import Base

/// What the control side asks of an output thread.
enum OutputCommand: Sendable {
    /// Drops what is playing and plays this ring.
    case play(SampleRing)
    /// Reads this ring if nothing else is read.
    case join(SampleRing)
    case run(Bool)
    case gain(Float)
    case enable(Bool)
    /// Begins a recording's file.
    case prepare
    /// Drops, closes, detaches; the wake point is signalled when that is done.
    case stop(WakePoint?)
}

/// Commands from any thread to one output thread, in order.
final class OutputInbox: Sendable {
    let wake: EventDescriptor
    private let commands = Guarded<[OutputCommand]>([])

    /// `wake` is what the thread polls.
    init(wake: EventDescriptor) { self.wake = wake }

    /// Adds a command and wakes the thread; any thread.
    func post(_ command: OutputCommand) {
        commands.withLock { $0.append(command) }
        wake.signal()
    }

    /// The oldest command not taken yet; the output thread only.
    func next() -> OutputCommand? {
        commands.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
