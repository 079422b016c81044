import Base
import Control
import Output

/// `outputs.devices`: what could be played to. Control thread; ALSA is asked on a thread of its own, which may hang.
final class OutputDevices {
    /// How long a client waits.
    private static let patience = Duration.seconds(5)
    /// Clients that wait for one answer at most.
    private static let waitingLimit = 64

    private let loop: EventLoop
    private let jobs = JobQueue(name: "jb-devices")
    /// Who waits for the listing that is under way.
    private let waiting = Guarded<[ReplySlot]>([])

    /// Asks nothing yet.
    init(loop: EventLoop) { self.loop = loop }

    /// Adds the method.
    func add(to commands: CommandTable) {
        commands.add("outputs.devices") { [unowned self] (call) throws(CommandFailure) in
            let slot = call.makeReplySlot()
            try wait(slot)
            loop.schedule(after: Self.patience) { slot.fill(.failure(Self.silence)) }
            return .later(slot)
        }
    }

    /// Whoever asks while ALSA is being asked gets that answer.
    private func wait(_ slot: ReplySlot) throws(CommandFailure) {
        let count = waiting.withLock { waiting in
            if waiting.count < Self.waitingLimit { waiting.append(slot) }
            return waiting.count
        }
        if count == Self.waitingLimit { throw Self.silence }
        guard count == 1 else { return }
        do throws(SystemError) {
            try jobs.run { [waiting] in
                let text = Self.text(AlsaDevices.list())
                let slots = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for slot in slots { slot.fill(.success(text)) }
            }
        } catch {
            waiting.withLock { $0 = [] }
            throw Self.silence
        }
    }

    private static let silence = CommandFailure(.invalidState, "ALSA does not say what devices there are.")

    private static func text(_ devices: [AlsaDevice]) -> JSONText {
        .object { text in
            text.member(
                "devices",
                devices.map { device in
                    JSONText.object { text in
                        text.member("name", device.name)
                        text.member("description", device.description)
                    }
                })
        }
    }
}
