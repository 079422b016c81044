import Base

/// The head of an answer.
extension Resource: TransferReceiver {
    func transferReceivedHead(_ transfer: Transfer) -> Bool { take(transfer.head, of: transfer) }

    /// Judges a head. What needs another request is done once curl has ended this transfer.
    func take(_ head: ResponseHead, of transfer: Transfer) -> Bool {
        if !transfer.request.mayBeLocal, transfer.isLocal {
            verdict = { [self] in deny() }
            return false
        }
        let request = transfer.request
        shared.note(.response, transfer.story)
        if head["set-cookie"] != nil { cookies[request.url.origin] = transfer.cookies }
        if head.contradictsItsLength, !quirks.ignoresLength {
            // curl counts by one of them.
            quirks.ignoresLength = true
            verdict = { [self] in begin(at: offset) }
            return false
        }
        if turnsToFolder(head, request) { return false }
        if isOutdated(head, request) { return startOver(with: head, request) }
        switch Answer(head, to: request, known: known) {
        case .data(let from): return accept(head, request, from: from)
        case .end(let length): verdict = { [self] in finish(length) }
        case .askPlainly:
            givesRanges = false
            triesOtherWay = false
            verdict = { [self] in begin(at: offset) }
        case .redirect:
            let target = transfer.redirect
            let isLocal = transfer.isLocal
            let status = head.status
            verdict = { [self] in follow(target, status: status, isLocal: isLocal) }
        case .notModified:
            let place = place
            verdict = { [self] in
                if shared.description.document != nil { confirmDocument(place) } else { confirm(head) }
            }
        case .changed: return startOver(with: head, request)
        case .failed(let code, let reason):
            verdict = { [self] in
                if !authorizeAnew(head, request) { refused(head, request, code, reason) }
            }
        }
        return false
    }

    func accept(_ head: ResponseHead, _ request: LoadingRequest, from: Int64) -> Bool {
        if known.hasBytes, isNoMoreSound(head) {
            let type = head.contentType ?? ""
            verdict = { [self] in broke(.httpError, "was answered with \(type) in place of sound") }
            return false
        }
        if !hasAnswer { known.isLive = head.isLive }
        hasAnswer = true
        isAccepted = true
        wasRefused = false
        redirects = 0
        demultiplexer = ICYDemultiplexer(interval: head.metadataInterval)
        if known.isLive {
            // What the last connection left cut must not be put together with this one's bytes.
            if known.hasBytes { shared.withState { [offset] in $0.addSeam(at: offset) } }
            if demultiplexer == nil, let fields = metadata.clear() {
                let news = TimedMetadata(source: .icy, fields: fields, offset: offset)
                shared.withState { $0.add(news) }
            }
        } else {
            skip = offset - from
            noteRanges(head, request)
            known.length = head.wholeLength ?? known.length
            if !known.hasBytes || head.validator != Validator() { known.validator = head.validator }
            keep(head)
        }
        publish(head)
        return true
    }

    /// True for a page or text where there was sound before: to log in at, or to say sorry.
    private func isNoMoreSound(_ head: ResponseHead) -> Bool {
        if known.isLive { return head.contentType?.hasPrefix("text/") ?? false }
        let before = shared.withState { $0.information?.contentType }
        return head.isPage && before != head.contentType
    }

    private func noteRanges(_ head: ResponseHead, _ request: LoadingRequest) {
        guard request.isRanged else {
            if givesRanges == nil, head["accept-ranges"]?.lowercased() == "bytes" { givesRanges = true }
            return
        }
        if head.isEncoded {
            // Offsets would count bytes of the compressed form.
            givesRanges = false
        } else if head.status == 206 || head["accept-ranges"]?.lowercased() == "bytes" {
            givesRanges = true
        } else if request.ifRange == nil || head["accept-ranges"] != nil {
            givesRanges = false
        }
        // Else all of another version came, since there is no part of that: the server's ways are the same.
        // A whole body in answer to a part of it: the server's word is worth nothing.
        if head.status != 206, request.offset > 0 { givesRanges = false }
    }

    private func publish(_ head: ResponseHead) {
        let keepsAll = shared.withState { $0.store.keepsAll }
        let fits = known.length.map { keepsAll || $0 <= Int64(settings.windowBytes) } ?? false
        var information = ContentInformation(
            length: known.length, contentType: head.contentType,
            isSeekable: known.isLive ? settings.timeShift.seconds > 0 : givesRanges == true || fits,
            isLive: known.isLive, isLocal: false, station: head.station(shared.description.charset),
            place: place)
        if shared.description.document != nil {
            let validator = head.validator
            information.edition = DocumentEdition(
                entityTag: validator.etag, lastModified: validator.lastModified)
        }
        let told = information
        var isNew = false
        let length = known.length
        let isLive = known.isLive
        let liveStore =
            isLive && settings.timeShift.seconds > 0 ? LiveStore(settings.timeShift, disk: loop.disk) : nil
        shared.update { state in
            isNew = state.information != told
            state.information = told
            // What is empty does not end: it fails.
            state.end = length == 0 ? nil : length
            guard isLive, state.store.ranges.isEmpty else { return }
            // Without time shift there is no way back, but for what finding the format takes.
            if let liveStore { state.store = liveStore } else { state.store.retainedBytes = 128 << 10 }
        }
        // There is one window, or one live end: another reader needs its own.
        if isLive || !(keepsAll || fits) { shared.part() }
        if isNew { shared.tell(.information(told)) }
    }

    /// The edition that was named is the one: there is nothing to read.
    private func confirmDocument(_ place: ContentPlace) {
        shared.withState { state in
            state.information = ContentInformation(place: place)
            state.information?.isUnchanged = true
        }
        finish(0)
    }

    /// Where the answer came from.
    var place: ContentPlace {
        ContentPlace(
            url: current.request, mayLeadToThisMachine: currentMayBeLocal && transfer?.isLocal ?? false,
            permanentURL: permanent.url?.request)
    }

    // MARK: What follows a head that brings no bytes

    private func follow(_ target: String?, status: Int, isLocal: Bool) {
        redirects += 1
        guard redirects <= settings.redirectLimit else {
            return fail(
                PlaybackFailure(
                    .tooManyRedirects,
                    "\(shared.url.masked) was redirected more than \(settings.redirectLimit) times."))
        }
        guard let target, let location = try? ResourceLocation(target), case .remote(let url) = location
        else {
            let shown = target.map { URLMask.shown($0) } ?? "nowhere"
            return fail(
                PlaybackFailure(
                    .denied, "\(shared.url.masked) redirects to \(shown), which is neither http nor https."))
        }
        shared.note(.redirect, "redirected to \(url.masked)")
        // What serves from this machine or link may lead there; what the internet serves may not.
        currentMayBeLocal = currentMayBeLocal && isLocal
        current = url
        permanent.follow(url, status: status)
        begin(at: offset)
    }

    private func refused(
        _ head: ResponseHead, _ request: LoadingRequest, _ code: PlaybackFailure.Code, _ reason: String
    ) {
        let status = head.status
        if status >= 500, isFirstAttempt(request), head["retry-after"] == nil {
            // It may be about the range; that is known when another one was asked for.
            triesOtherWay = true
            return begin(at: offset)
        }
        if status >= 500, serveStale("was answered with HTTP status \(status)") { return }
        let wasRedirected = current != mirrors.current
        if hasAnswer, wasRedirected, status >= 400, !askedAgain {
            // Signed links expire: the first URL knows the next one.
            askedAgain = true
            beginAgain(at: offset)
        } else if mayPass(status) || (known.isLive && known.hasBytes) {
            if head["retry-after"] == nil { doubtWay() }
            broke(code, reason, .answer, notBefore: head.retryAfter(now: Clocks.unixTime))
        } else if likelyEnd == offset {
            finish(offset)
        } else if known.hasBytes, !known.isLive {
            fail(
                PlaybackFailure(
                    .incomplete, "\(shared.url.masked) broke off at byte \(offset), and now \(reason)."))
        } else {
            ended(code, reason)
        }
    }

    /// True when nothing else was tried than to ask for all of it as a part.
    func isFirstAttempt(_ request: LoadingRequest) -> Bool {
        request.isRanged && request.offset == 0 && retries.attempts == 0
    }

    /// True for a status that says no more than that it is a bad moment.
    private func mayPass(_ status: Int) -> Bool { status >= 500 || status == 429 || status == 408 }

    func deny() {
        fail(
            PlaybackFailure(
                .denied,
                "\(shared.url.masked) leads to \(current.masked), which lies on this machine or its link."))
    }
}
