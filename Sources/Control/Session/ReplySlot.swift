package import Base
import Synchronization
import Wire

/// A reply that another thread fills in later; it keeps the place of its request.
///
/// Any thread may fill it, once. A slot that is dropped unfilled is answered by an internal error.
package final class ReplySlot: Sendable {
    struct Completion: Sendable {
        let session: Int
        let serial: Int
        let result: Result<JSONText, RPCError>
    }

    let session: Int
    let serial: Int
    private let mailbox: Mailbox<Completion>
    private let isFilled = Atomic(false)

    init(session: Int, serial: Int, _ mailbox: Mailbox<Completion>) {
        self.session = session
        self.serial = serial
        self.mailbox = mailbox
    }

    deinit { post(.failure(.internalError("The command ended without an answer."))) }

    /// Gives the command's result; false for a second call, which is ignored.
    @discardableResult
    package func fill(_ result: Result<JSONText, CommandFailure>) -> Bool {
        post(result.mapError { RPCError($0) })
    }

    @discardableResult
    private func post(_ result: Result<JSONText, RPCError>) -> Bool {
        guard !isFilled.exchange(true, ordering: .relaxed) else { return false }
        mailbox.post(Completion(session: session, serial: serial, result: result))
        return true
    }
}
