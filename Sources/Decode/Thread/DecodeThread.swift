package import Base

/// The thread `jb-decode`: turns items into rings of samples; starts with the first item.
///
/// Commands come from any thread. Events are told on the decode thread itself: the closure only passes them on.
package final class DecodeThread: Sendable {
    private let inbox: DecodeInbox
    private let tell: @Sendable (DecodeEvent) -> Void

    /// Names who hears the events; nothing runs yet.
    package init(tell: @escaping @Sendable (DecodeEvent) -> Void) {
        inbox = DecodeInbox()
        self.tell = tell
    }

    /// Asks for something; any thread, never blocks. Throws when the thread cannot be started.
    package func post(_ command: DecodeCommand) throws(SystemError) {
        if inbox.post(command) {
            try Thread.start(name: "jb-decode", stackBytes: 1024 * 1024) { [inbox, tell] in
                DecodeLoop(inbox: inbox, tell: tell).run()
            }
        }
    }
}
