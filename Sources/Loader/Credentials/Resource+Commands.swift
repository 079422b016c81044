import Base

/// What the configuration's commands are asked before a request can be made.
extension Resource {
    /// A request that waits for a command's answer.
    struct Waiting {
        let ticket: CommandBoard.Ticket
        let question: CommandBoard.Question
        let isForToken: Bool
    }

    /// Completes what goes with a request to `current`; false when a command must be asked first, whose answer
    /// `attend` then goes on with.
    func complete(_ credentials: inout RequestCredentials) -> Bool {
        let command: [String]
        let isForToken: Bool
        if let resolver = credentials.resolverCommand, !isResolved {
            (command, isForToken) = (resolver, false)
        } else if let teller = credentials.tokenCommand {
            let question = CommandBoard.Question(command: teller)
            let token = freshToken ?? loop.commands.token(question)
            freshToken = nil
            tokenInUse = token.map { (question, $0) }
            if let token {
                credentials.authorize("Bearer \(token)")
                return true
            }
            (command, isForToken) = (teller, true)
        } else {
            if credentials.login != nil, loop.wantsDigest(current.origin) { credentials.isDigest = true }
            return true
        }
        // Given on its standard input: arguments can be seen by everybody.
        let question = CommandBoard.Question(command: command, input: isForToken ? "" : current.request)
        let ticket = loop.ask(question, for: shared)
        shared.note(.connect, "asks the \(isForToken ? "token" : "resolver")_command of \(current.origin)")
        waiting = Waiting(ticket: ticket, question: question, isForToken: isForToken)
        return false
    }

    /// Goes on with the request that waited, if the answer is here.
    func takeAnswer() {
        guard let waiting, let result = waiting.ticket.result else { return }
        self.waiting = nil
        switch result {
        case .success(let answer) where waiting.isForToken:
            loop.commands.keep(answer, for: waiting.question)
            freshToken = answer.value
            begin(at: offset)
        case .success(let answer):
            load(answer, in: waiting)
        case .failure(let failure):
            let name = waiting.isForToken ? "token_command" : "resolver_command"
            let code: PlaybackFailure.Code = waiting.isForToken ? .unauthorized : .unreachable
            broke(code, "could not be asked for, as the \(name) of its origin \(failure)")
        }
    }

    /// Loads from the URL that a resolver gave, which counts as a redirect.
    private func load(_ answer: CommandAnswer, in waiting: Waiting) {
        guard let location = try? ResourceLocation(answer.value), case .remote(let url) = location else {
            return fail(
                PlaybackFailure(
                    .denied, "The resolver_command of \(current.masked) printed no http or https URL."))
        }
        currentMayBeLocal = currentMayBeLocal && current.origin.isLocal
        current = url
        isResolved = true
        resolvedUntil = answer.lifetime.map { Clocks.bootTime + $0.inSeconds }
        begin(at: offset)
    }

    /// Asks again, once, with another token or in another way, where a server refuses (401); false when there is none.
    func authorizeAnew(_ head: ResponseHead, _ request: LoadingRequest) -> Bool {
        guard head.status == 401, !wasRefused else { return false }
        if let (question, token) = tokenInUse {
            loop.commands.forget(token, for: question)
        } else if request.credentials.login != nil, !request.credentials.isDigest, head.offersDigest {
            loop.noteDigest(current.origin)
        } else {
            return false
        }
        wasRefused = true
        begin(at: offset)
        return true
    }
}
