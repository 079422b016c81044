import Base
import Wire

extension Session {
    /// What came of one call.
    private enum Answer {
        /// A notification.
        case none
        case result(RequestID, JSONText)
        case failure(RequestID, RPCError)
        case later(serial: Int, RequestID)

        /// The whole reply; nil when there is none yet, or never.
        var text: JSONText? {
            switch self {
            case .none, .later: nil
            case .result(let id, let result): MessageWriter.reply(id, result: result)
            case .failure(let id, let error): MessageWriter.reply(id, error: error)
            }
        }
    }

    /// Runs a message's calls in order and gives the answer its place.
    func answer(_ message: IncomingMessage) {
        let before = hub.table.revision
        switch message {
        case .single(let call):
            let answer = run(call)
            deliverOwn(since: before)
            switch answer {
            case .none: break
            case .result(let id, let result): output.appendReply(id, result: result)
            case .failure(let id, let error): reply(MessageWriter.reply(id, error: error))
            case .later: deferReply([answer], [nil], isBatch: false)
            }
        case .batch(let calls): answerBatch(calls, since: before)
        }
        guard !fresh.isEmpty else { return }
        for subscription in fresh { subscription.slotBefore = lastSlot }
        fresh = []
    }

    private func answerBatch(_ calls: [IncomingCall], since before: Int64) {
        var answers: [Answer] = []
        var parts: [JSONText?] = []
        var bytes = 0
        for call in calls {
            let answer = bytes > options.batchReplyBytes ? refuse(call) : run(call)
            if case .none = answer { continue }
            let text = answer.text
            bytes += text?.bytes.count ?? 0
            answers.append(answer)
            parts.append(text)
        }
        deliverOwn(since: before)
        guard !answers.isEmpty else { return }
        let texts = parts.compactMap { $0 }
        if texts.count == parts.count {
            reply(JSONText(texts))
        } else {
            deferReply(answers, parts, isBatch: true)
        }
    }

    /// The array would be too large: the rest of the batch is not run.
    private func refuse(_ call: IncomingCall) -> Answer {
        guard case .request(let request) = call else { return run(call) }
        guard let id = request.id else { return .none }
        let limit = options.batchReplyBytes
        let failure = CommandFailure(
            .limit, "The answers before this one exceed the \(limit) bytes of a batch.")
        return .failure(id, RPCError(failure))
    }

    private func run(_ call: IncomingCall) -> Answer {
        switch call {
        case .invalid(let id, let error): return .failure(id, error)
        case .request(let request): return run(request)
        }
    }

    private func run(_ request: Request) -> Answer {
        // What happened before the command is a set of its own.
        hub.settle()
        let before = server.gate?.owed ?? 0
        let outcome: Result<CommandOutcome, RPCError>
        do throws(RPCError) {
            outcome = .success(try commands.run(request, in: self))
        } catch {
            outcome = .failure(error)
        }
        hub.settle()
        guard let id = request.id else { return .none }
        if case .success(.result(let text)) = outcome, let gate = server.gate, gate.collect() != before {
            let slot = makeSlot()
            gate.whenSaved(gate.owed) { slot.fill(.success(text)) }
            return .later(serial: slot.serial, id)
        }
        switch outcome {
        case .success(.result(let text)): return .result(id, text)
        case .success(.later(let slot)): return .later(serial: slot.serial, id)
        case .failure(let error): return .failure(id, error)
        }
    }

    /// The sender hears of its own command before it gets the reply.
    private func deliverOwn(since before: Int64) {
        guard hub.table.revision > before else { return }
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

    /// Fills a slot with what a command answered later than in its turn: once what it changed is saved.
    func fill(_ slot: ReplySlot, _ text: JSONText) {
        hub.settle()
        guard let gate = server.gate else {
            slot.fill(.success(text))
            return
        }
        gate.whenSaved(gate.collect()) { slot.fill(.success(text)) }
    }

    private func deferReply(_ answers: [Answer], _ parts: [JSONText?], isBatch: Bool) {
        lastSlot += 1
        let slot = SessionOutput.Slot(serial: lastSlot)
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
