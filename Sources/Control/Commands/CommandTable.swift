package import Base
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

    /// Keeps the reply's place; return it as `later` and give it to the thread that does the work.
    package func makeReplySlot() -> ReplySlot { session.makeSlot() }

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
        let handler: Handler

        init(positional: String?, handler: @escaping Handler) {
            self.positional = positional
            self.handler = handler
        }
    }

    private var commands: [String: Command] = [:]

    /// Makes a table without methods.
    package init() {}

    /// Adds a method; `positional` names its required parameter when it has exactly one.
    package func add(_ name: String, positional: String? = nil, _ handler: @escaping Handler) {
        commands[name] = Command(positional: positional, handler: handler)
    }

    /// All names in order.
    package var names: [String] { commands.keys.sorted() }

    func run(_ request: Request, in session: Session) throws(RPCError) -> CommandOutcome {
        guard let command = commands[request.method] else { throw .methodNotFound(request.method) }
        do throws(CommandFailure) {
            let parameters = try Parameters(request.params, positional: command.positional)
            return try command.handler(CommandCall(parameters: parameters, session: session))
        } catch {
            throw RPCError(error)
        }
    }
}
