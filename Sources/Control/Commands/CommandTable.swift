package import Base
package import Player
import Wire

/// What a command answers: now, or through a slot that another thread fills.
package enum CommandOutcome {
    case result(JSONText)
    case later(ReplySlot)
}

/// One call of a command: its parameters and whose it is. Control thread only.
package struct CommandCall {
    /// What the client gave, by name.
    package let parameters: Parameters
    let session: Session
    /// The place that its reply has already; nil for one that is answered in its turn.
    private var slot: ReplySlot?

    init(parameters: Parameters, session: Session) {
        self.parameters = parameters
        self.session = session
    }

    /// Keeps the reply's place; return it as `later` and give it to the thread that does the work.
    package func makeReplySlot() -> ReplySlot { slot ?? session.makeSlot() }

    /// Keeps the reply's place now, and does the command when `run` is called, on the control thread.
    package func postponed(_ handler: @escaping CommandTable.Handler) -> (
        outcome: CommandOutcome, run: () -> Void
    ) {
        let slot = makeReplySlot()
        var call = self
        call.slot = slot
        return (
            .later(slot),
            { [call] in
                do throws(CommandFailure) {
                    if case .result(let text) = try handler(call) { slot.fill(.success(text)) }
                } catch {
                    slot.fill(.failure(error))
                }
            }
        )
    }

    /// A number for the client, while it is connected.
    package var client: Int { session.id }

    /// Runs something once the client is gone; a later one of the same name takes its place.
    package func whenGone(_ name: String, _ body: @escaping () -> Void) { session.whenClosed[name] = body }

    /// The revision after what this command has changed so far.
    package func revision() -> Int64 {
        session.hub.settle()
        return session.hub.table.revision
    }

    /// `{"revision": N}`, as most commands answer.
    package func revisionResult() -> CommandOutcome {
        let text = JSONText.object { text in
            text.member("revision", revision())
        }
        return .result(text)
    }
}

/// The methods by name.
package final class CommandTable {
    /// Does a command on the control thread, without waiting; throws what the reply's error says.
    package typealias Handler = (CommandCall) throws(CommandFailure) -> CommandOutcome

    private final class Command {
        /// The one required parameter, which may also come by position.
        let positional: String?
        /// True when its URLs may name items of the store.
        let takesItems: Bool
        let handler: Handler

        init(positional: String?, takesItems: Bool, handler: @escaping Handler) {
            self.positional = positional
            self.takesItems = takesItems
            self.handler = handler
        }
    }

    /// What each of some items of the store is to the queue.
    package typealias StoredEntries = [Int64: Result<NewEntry, CommandFailure>]

    private var commands: [String: Command] = [:]
    /// Looks items of the store up, and tells of them later on the control thread; nil without a store.
    package var findStored: ((Set<Int64>, @escaping (StoredEntries) -> Void) -> Void)?

    /// Makes a table without methods.
    package init() {}

    /// Adds a method; `positional` names its required parameter when it has exactly one.
    ///
    /// With `takesItems` its URLs may name items of the store: it is then done once they are looked up.
    package func add(
        _ name: String, positional: String? = nil, takesItems: Bool = false, _ handler: @escaping Handler
    ) {
        commands[name] = Command(positional: positional, takesItems: takesItems, handler: handler)
    }

    /// All names in order.
    package var names: [String] { commands.keys.sorted() }

    func run(_ request: Request, in session: Session) throws(RPCError) -> CommandOutcome {
        guard let command = commands[request.method] else { throw .methodNotFound(request.method) }
        if let group = session.missingGroup(for: request) {
            throw RPCError(
                CommandFailure(
                    .denied,
                    "This connection is restricted: \(request.method) needs the group \(group.rawValue)."))
        }
        if command.takesItems, let slot = runLater(command, request, in: session) { return .later(slot) }
        do throws(CommandFailure) {
            let parameters = try Parameters(request.params, positional: command.positional)
            return try command.handler(CommandCall(parameters: parameters, session: session))
        } catch {
            throw RPCError(error)
        }
    }

    /// Runs a command once the items of the store that it names are known; nil when it names none.
    private func runLater(_ command: Command, _ request: Request, in session: Session) -> ReplySlot? {
        guard let findStored, let params = request.params else { return nil }
        let ids = StoreReference.ids(in: params)
        guard !ids.isEmpty else { return nil }
        let slot = session.makeSlot()
        findStored(ids) { stored in
            do throws(CommandFailure) {
                let parameters = try Parameters(params, positional: command.positional, stored: stored)
                let outcome = try command.handler(CommandCall(parameters: parameters, session: session))
                if case .result(let text) = outcome { session.fill(slot, text) }
            } catch {
                slot.fill(.failure(error))
            }
        }
        return slot
    }
}
