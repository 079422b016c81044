import Base

/// The end of a transfer, and what comes after it.
extension Resource {
    func transfer(_ transfer: Transfer, ended outcome: TransferOutcome) {
        self.transfer = nil
        let verdict = verdict
        self.verdict = nil
        if transfer.wasDenied { return deny() }
        if let verdict { return verdict() }
        switch outcome {
        case .complete: bodyEnded(transfer)
        case .silent, .misunderstood: notUnderstood(transfer, outcome)
        case .broken(.noSuchHost, let reason): nameNotFound(reason)
        case .broken(let code, let reason): broke(code, reason, of: transfer)
        }
    }

    private func broke(_ code: PlaybackFailure.Code, _ reason: String, of transfer: Transfer) {
        let mayPass = [.unreachable, .timeout, .httpError].contains(code)
        guard hasAnswer || mayPass else { return ended(code, reason) }
        broke(code, reason, transfer.lacksNetwork ? .network : .connection)
    }

    private func bodyEnded(_ transfer: Transfer) {
        if known.isLive { return broke(.unreachable, "was closed by its server") }
        if skip > 0 { return broke(.incomplete, "became shorter than it was") }
        guard known.hasBytes else {
            return fail(PlaybackFailure(.empty, "\(shared.url.masked) has nothing in it."))
        }
        if let end = transfer.request.end, transfer.head.status == 206, offset >= end {
            plan()
        } else if let length = known.length, offset < length {
            // Some servers give less than was asked for; the rest is asked for next.
            if broughtBytes, transfer.head.status == 206 {
                begin(at: offset)
            } else {
                broke(.unreachable, "broke off")
            }
        } else if known.length == nil, transfer.head.status == 206, !transfer.head.isEncoded {
            if broughtBytes { begin(at: offset) } else { finish(offset) }
        } else {
            finish(offset)
        }
    }

    private func notUnderstood(_ transfer: Transfer, _ outcome: TransferOutcome) {
        let request = transfer.request
        let isFirst = !hasAnswer && request.offset == 0
        if isFirst, outcome == .misunderstood, !request.ignoresLength {
            begin(at: 0, isRanged: request.isRanged, ignoresLength: true)
        } else if isFirst, outcome == .silent, request.isRanged {
            givesRanges = false
            begin(at: 0, isRanged: false)
        } else if outcome == .silent {
            broke(.unreachable, "was closed by its server without an answer")
        } else {
            broke(.httpError, "was answered with something that is no HTTP")
        }
    }

    /// The resource is here to its end, which is its length from now on.
    func finish(_ length: Int64) {
        known.length = length
        offset = length
        let isNew = shared.withState { $0.end != length }
        shared.update { state in
            state.end = length
            state.information?.length = length
        }
        let information = shared.withState { $0.information }
        if isNew { shared.note(.response, "here to its end, \(length) bytes") }
        if isNew, let information { shared.tell(.information(information)) }
        noteLength(length)
        plan()
        tellProgress(at: .now, isComplete: transfer == nil)
    }

    /// Nothing more will come. What is here is played first: the event follows when the reader got there.
    func fail(_ failure: PlaybackFailure) {
        cancel()
        isOver = true
        shared.flush()
        shared.note(.error, failure.message)
        Log.info("loader", failure.message)
        shared.update { state in
            state.failure = failure
            for index in state.readers.indices {
                let hasNone = state.store.available(from: state.readers[index].position) == 0
                if hasNone { state.readers[index].sawFailure = true }
            }
        }
        tellProgress(at: .now, isComplete: true)
        shared.tellFailure()
    }
}
