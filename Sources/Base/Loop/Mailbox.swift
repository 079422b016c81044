import CLinux
import Glibc

/// Messages from any thread to a loop; an eventfd wakes it once for as many as there are.
package final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Guarded<[Message]>([])
    private let wake: FileDescriptor

    /// Creates a mailbox. Throws when there are no descriptors left.
    package init() throws(SystemError) {
        wake = FileDescriptor(
            owning: try System.check("eventfd") {
                eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            })
    }

    /// Adds a message; any thread; never blocks for longer than a copy.
    package func post(_ message: Message) {
        let wasEmpty = messages.withLock { queue in
            queue.append(message)
            return queue.count == 1
        }
        if wasEmpty { eventfd_write(wake.raw, 1) }
    }

    /// The descriptor that is readable while messages wait.
    package var descriptor: Int32 { wake.raw }

    /// Takes all messages, in order of posting; the owning thread only.
    package func takeAll() -> [Message] {
        var count: eventfd_t = 0
        unsafe eventfd_read(wake.raw, &count)
        return messages.withLock { queue in
            let taken = queue
            queue.removeAll()
            return taken
        }
    }

    /// Delivers each message on the loop's thread.
    package func deliver(on loop: EventLoop, _ handler: @escaping (Message) -> Void) throws(SystemError) {
        _ = try loop.add(descriptor, .readable) { [unowned self] _ in
            for message in takeAll() { handler(message) }
        }
    }
}
