import Base

/// What is done when an attempt brought nothing, or broke.
extension Resource {
    private var stage: RetryPolicy.Stage {
        guard hasAnswer else { return .opening }
        guard known.isLive else { return .file }
        return known.hasBytes ? .station : .silentStation
    }

    /// A transfer broke: tries again while there is hope. `reason` follows the URL in a sentence; `notBefore` is how
    /// long the server wants to be left alone.
    func broke(
        _ code: PlaybackFailure.Code, _ reason: String, _ trouble: RetryPolicy.Trouble = .connection,
        notBefore: Duration? = nil
    ) {
        if serveStale(reason) { return }
        // Who asks for documents has a schedule of its own.
        if shared.description.document != nil { return giveUpDocument(code, reason, notBefore) }
        hope = hope ?? (code, reason)
        if goToMirror(after: reason) { return }
        hope = nil
        let delay = retries.next(
            stage, isAccepted && trouble == .connection ? .answer : trouble, broughtBytes: broughtBytes,
            notBefore: notBefore, now: .now, jitter: .random(in: 0...1))
        guard let delay else { return giveUp(code, reason) }
        let wait = max(.zero, delay)
        retryAt = .now + wait
        loop.watchNetwork()
        shared.note(.retry, "\(current.masked) \(reason); tried again in \(wait.inSeconds) s")
        Log.info("loader", "\(current.masked) \(reason); trying again in \(wait.inSeconds) s")
        shared.tell(
            .reconnecting(
                attempt: retries.attempts, at: Clocks.unixTime + wait.inSeconds,
                reason: "\(current.masked) \(reason)."))
    }

    /// What came to nothing may have done so for its range (some hang up on what they do not understand, or are sorry
    /// in all sincerity), or for the lack of one (what is cut again before the place): the next one goes the other way.
    func doubtWay() {
        guard !broughtBytes, givesRanges != true else { return }
        triesOtherWay.toggle()
    }

    /// No further attempt at this URL would end better; another one's may.
    func ended(_ code: PlaybackFailure.Code, _ reason: String) {
        let isNoWord = [.noSuchHost, .unreachable, .timeout, .tls].contains(code)
        if isNoWord && serveStale(reason) || goToMirror(after: reason) { return }
        if let (code, reason) = hope { return broke(code, reason) }
        giveUp(code, reason)
    }

    /// Tries the next URL of this resource at once, if this round has one; what brought bytes is tried again first.
    private func goToMirror(after reason: String) -> Bool {
        guard mirrors.isPlural, !hasAnswer || known.isLive else { return false }
        if broughtBytes || !mirrors.goOn() {
            mirrors.beginRound()
            return false
        }
        shared.note(.retry, "\(current.masked) \(reason); tried at another URL of it")
        Log.info("loader", "\(current.masked) \(reason); trying another URL of it")
        beginAgain(at: offset)
        return true
    }

    private func giveUpDocument(_ code: PlaybackFailure.Code, _ reason: String, _ notBefore: Duration?) {
        if let notBefore {
            let at = Clocks.unixTime + notBefore.inSeconds
            shared.tell(.reconnecting(attempt: 1, at: at, reason: "\(current.masked) \(reason)."))
        }
        giveUp(code, reason)
    }

    private func giveUp(_ code: PlaybackFailure.Code, _ reason: String) {
        if likelyEnd == offset, known.length == nil { return finish(offset) }
        guard !known.isLive, known.hasBytes else {
            return fail(PlaybackFailure(code, "\(current.masked) \(reason)."))
        }
        let total = known.length.map { " of \($0)" } ?? ""
        fail(PlaybackFailure(.incomplete, "\(current.masked) \(reason), at byte \(offset)\(total)."))
    }

    // MARK: Names

    /// A host's name was not found. Whether it does not exist, or nobody could be asked, decides what is done.
    func nameNotFound(_ reason: String) {
        guard !hasAnswer else { return broke(.noSuchHost, reason) }
        isAskingName = true
        let shared = shared
        loop.names.ask(current.origin.host) { [door = loop.door] verdict in
            shared.withState { $0.nameVerdict = verdict }
            door.attend(shared)
        }
    }

    /// Goes on once it is known why the name was not found.
    func takeNameVerdict() {
        guard isAskingName, let verdict = shared.withState({ $0.nameVerdict }) else { return }
        isAskingName = false
        shared.withState { $0.nameVerdict = nil }
        switch verdict {
        case .unknown: ended(.noSuchHost, "names a host that is not known")
        case .nobodyToAsk: broke(.noSuchHost, "has a host whose name cannot be looked up now", .network)
        case .known: broke(.noSuchHost, "names a host that was not known", .connection)
        }
    }

    // MARK: The network

    /// The network came back, or the machine woke up. A connection that it cannot have survived is given up.
    func networkCame(hasSlept: Bool) {
        if let due = retryAt {
            retryAt = retries.encourage(due, now: .now)
        } else if let transfer, !isOver {
            let isStuck = !transfer.isConnected && .now - transfer.lastActivity > .milliseconds(500)
            guard isStuck || hasSlept else { return }
            shared.note(.retry, "\(current.masked) is asked for anew: the network changed")
            Log.info("loader", "\(current.masked) is asked for anew: the network changed")
            if known.isLive || !hasAnswer { beginAgain(at: offset) } else { begin(at: offset) }
        }
    }

    /// True while it matters that the network comes back.
    var awaitsNetwork: Bool { retryAt != nil }
}
