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
        case .misencoded: notDecoded()
        case .broken(.noSuchHost, let reason): nameNotFound(reason)
        case .broken(let code, let reason): broke(code, reason, of: transfer)
        }
    }

    private func broke(_ code: PlaybackFailure.Code, _ reason: String, of transfer: Transfer) {
        let mayPass = [.unreachable, .timeout, .httpError].contains(code)
        guard hasAnswer || mayPass else { return ended(code, reason) }
        if transfer.isConnected { doubtWay() }
        broke(code, reason, transfer.lacksNetwork ? .network : .connection)
    }

    private func bodyEnded(_ transfer: Transfer) {
        if known.isLive { return liveBodyEnded() }
        if skip > 0 {
            doubtWay()
            return broke(.incomplete, "became shorter than it was")
        }
        guard known.hasBytes else { return nothingCame(transfer) }
        if let end = transfer.request.end, transfer.head.status == 206, offset >= end {
            plan()
        } else if let length = known.length, offset < length {
            // Some servers give less than was asked for; the rest is asked for next.
            if broughtBytes, transfer.head.status == 206 {
                begin(at: offset)
            } else {
                doubtWay()
                broke(.unreachable, "broke off")
            }
        } else if known.length == nil, transfer.head.status == 206, !transfer.head.isEncoded {
            likelyEnd = offset
            if broughtBytes { begin(at: offset) } else { finish(offset) }
        } else {
            finish(offset)
        }
    }

    /// What ends and was text from its start is no station, whatever its head says: a list, or an excuse.
    private func liveBodyEnded() {
        guard isTextSoFar, known.hasBytes else { return broke(.unreachable, "was closed by its server") }
        known.isLive = false
        shared.withState { $0.information?.isLive = false }
        finish(offset)
    }

    /// An empty body: all there is, unless it is called a part of more.
    private func nothingCame(_ transfer: Transfer) {
        guard transfer.head.status == 206, transfer.request.isRanged else {
            return fail(PlaybackFailure(.empty, "\(shared.url.masked) has nothing in it."))
        }
        givesRanges = false
        triesOtherWay = false
        begin(at: 0)
    }

    private func notDecoded() {
        guard !quirks.ignoresEncoding, !broughtBytes else {
            return broke(.httpError, "is compressed in a way that cannot be undone")
        }
        quirks.ignoresEncoding = true
        begin(at: offset)
    }

    private func notUnderstood(_ transfer: Transfer, _ outcome: TransferOutcome) {
        let request = transfer.request
        let isFirst = !hasAnswer && request.offset == 0
        if isFirst, outcome == .misunderstood, !quirks.ignoresLength {
            quirks.ignoresLength = true
            begin(at: 0)
        } else if outcome == .silent, isFirstAttempt(request) {
            triesOtherWay = true
            begin(at: 0)
        } else if outcome == .silent {
            doubtWay()
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
