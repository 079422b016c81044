import Base
import Wire

extension Session {
    /// What came of one call.
    private enum Answer {
        /// A notification.
        case none
        case now(JSONText)
        case later(serial: Int, RequestID)
    }

    /// Runs a message's calls in order and gives the answer its place.
    func answer(_ message: IncomingMessage) {
        let before = server.hub.table.revision
        switch message {
        case .single(let call):
            let answer = run(call)
            deliverOwn(since: before)
            switch answer {
            case .none: break
            case .now(let text): reply(text)
            case .later: deferReply([answer], isBatch: false)
            }
        case .batch(let calls): answerBatch(calls, since: before)
        }
        for subscription in fresh { subscription.slotBefore = lastSlot }
        fresh = []
    }

    private func answerBatch(_ calls: [IncomingCall], since before: Int64) {
        var answers: [Answer] = []
        var bytes = 0
        for call in calls {
            let answer = bytes > server.options.batchReplyBytes ? refuse(call) : run(call)
            switch answer {
            case .none: continue
            case .now(let text): bytes += text.bytes.count
            case .later: break
            }
            answers.append(answer)
        }
        deliverOwn(since: before)
        guard !answers.isEmpty else { return }
        var texts: [JSONText] = []
        for case .now(let text) in answers { texts.append(text) }
        if texts.count == answers.count { reply(JSONText(texts)) } else { deferReply(answers, isBatch: true) }
    }

    /// The array would be too large: the rest of the batch is not run.
    private func refuse(_ call: IncomingCall) -> Answer {
        guard case .request(let request) = call else { return run(call) }
        guard let id = request.id else { return .none }
        let limit = server.options.batchReplyBytes
        let failure = CommandFailure(
            .limit, "The answers before this one exceed the \(limit) bytes of a batch.")
        return .now(MessageWriter.reply(id, error: RPCError(failure)))
    }

    private func run(_ call: IncomingCall) -> Answer {
        switch call {
        case .invalid(let id, let error): return .now(MessageWriter.reply(id, error: error))
        case .request(let request): return run(request)
        }
    }

    private func run(_ request: Request) -> Answer {
        // What happened before the command is a set of its own.
        server.hub.settle()
        let before = server.gate?.given ?? 0
        let outcome: Result<CommandOutcome, RPCError>
        do throws(RPCError) {
            outcome = .success(try server.commands.run(request, in: self))
        } catch {
            outcome = .failure(error)
        }
        server.hub.settle()
        guard let id = request.id else { return .none }
        if case .success(.result(let text)) = outcome, let gate = server.gate, gate.collect() != before {
            let slot = makeSlot()
            gate.whenSaved(gate.given) { slot.fill(.success(text)) }
            return .later(serial: slot.serial, id)
        }
        switch outcome {
        case .success(.result(let text)): return .now(MessageWriter.reply(id, result: text))
        case .success(.later(let slot)): return .later(serial: slot.serial, id)
        case .failure(let error): return .now(MessageWriter.reply(id, error: error))
        }
    }

    /// The sender hears of its own command before it gets the reply.
    private func deliverOwn(since before: Int64) {
        guard server.hub.table.revision > before else { return }
        let now = MonotonicTime.now
        for subscription in subscriptions {
            guard let last = subscription.keySet.turn.last, last.revision > before else { continue }
            // One that this very message made is told after the reply that names it.
            guard !fresh.contains(where: { $0 === subscription }) else { continue }
            subscription.deliver(at: now, isForced: true)
        }
    }

    // MARK: Later

    /// A slot for a reply that another thread fills in.
    func makeSlot() -> ReplySlot {
        lastTicket += 1
        return ReplySlot(session: id, serial: lastTicket, server.completions)
    }

    private func deferReply(_ answers: [Answer], isBatch: Bool) {
        lastSlot += 1
        let slot = SessionOutput.Slot(serial: lastSlot)
        let parts: [JSONText?] = answers.map { if case .now(let text) = $0 { text } else { nil } }
        let reply = DeferredReply(slot, parts, isBatch: isBatch)
        for (index, answer) in answers.enumerated() {
            if case .later(let serial, let id) = answer {
                deferred[serial] = Deferred(id: id, reply: reply, part: index)
            }
        }
        outstanding += 1
        output.enqueue(.slot(slot))
    }

    /// A deferred reply's result is here.
    func complete(_ serial: Int, _ result: Result<JSONText, RPCError>) {
        guard let waiting = deferred.removeValue(forKey: serial), !isClosed else { return }
        let text =
            switch result {
            case .success(let result): MessageWriter.reply(waiting.id, result: result)
            case .failure(let error): MessageWriter.reply(waiting.id, error: error)
            }
        guard let whole = waiting.reply.fill(waiting.part, text) else { return }
        output.fill(waiting.reply.slot, MessageWriter.line(whole))
        outstanding -= 1
        serve()
    }
}
