import Base

/// What the decode thread does; confined to it.
final class DecodeLoop {
    private let inbox: DecodeInbox
    private let tell: (DecodeEvent) -> Void

    init(inbox: DecodeInbox, tell: @escaping (DecodeEvent) -> Void) {
        self.inbox = inbox
        self.tell = tell
    }

    func run() -> Never {
        while true {
            for command in inbox.takeAll() {
                if case .open(let item) = command {
                    item.source.close()
                    tell(.failed(token: item.token, PlaybackFailure(.internal, "no decoder")))
                }
            }
            inbox.wake.wait()
        }
    }
}
