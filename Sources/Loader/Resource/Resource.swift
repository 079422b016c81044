import Base

/// Loads one remote resource: plans its requests, judges the answers, tries again what broke.
///
/// Confined to the loader's thread. `Resource+Answer`, `+Body` and `+Ending` follow a transfer's life.
final class Resource {
    let shared: SharedResource
    /// The loop outlives its resources.
    unowned let loop: TransferLoop
    var settings: LoaderSettings { shared.settings }

    // MARK: What is known
    var known = Answer.Known()
    /// True once a head was accepted.
    var hasAnswer = false
    /// Whether the server gives bytes from any offset; nil before it was asked.
    var givesRanges: Bool?
    /// True when the next request is of the other kind, with a range or without: nothing came of the last one.
    var triesOtherWay = false
    /// What of the server's heads is not to be believed.
    var quirks = LoadingRequest.Quirks()
    /// Where a part of a whole of unknown length ended as it had said: that may be all.
    var likelyEnd: Int64?
    /// The last URL of the redirects, where seeks and resumptions ask first.
    var current: RemoteURL
    /// The URLs that lead to it, to begin with.
    var mirrors: Mirrors
    var currentMayBeLocal: Bool
    var redirects = 0
    /// Where permanent redirects, and no others, have led from the first URL on.
    var permanent = PermanentPlace.first
    /// True when the first URL was asked again since bytes last came.
    var askedAgain = false
    /// True when `current`, or a URL that led to it, came from the configuration's resolver.
    var isResolved = false
    /// When that has to be asked again, by CLOCK_BOOTTIME in seconds; nil for when it is refused.
    var resolvedUntil: Double?
    /// What servers set on the way, each for itself: some set one and redirect to see it again.
    var cookies: [Origin: [String]] = [:]
    /// What waits for a command's answer.
    var waiting: Waiting?
    /// A token for the next request, and the one of the last.
    var freshToken: String?
    var tokenInUse: (question: CommandBoard.Question, token: String)?
    /// Whether it was asked for as a folder.
    var folder = Folder.unasked
    /// True when a server refused what the request had and was asked again; until one accepts.
    var wasRefused = false

    // MARK: The cache

    /// Under what the bytes are kept; nil when they are not.
    var cacheKey: CacheKey?
    /// True while requests ask only whether there is another version.
    var asksForChange = false
    /// Counts the stores that were made.
    var stores = 0
    /// What is known of the version that is kept.
    var version = CachedVersion()
    /// When the cache is not waited for any more.
    var lookupDeadline: MonotonicTime?
    /// When the request under way was made, in unix time.
    var askedAt = 0.0

    // MARK: Reading ahead
    var lastRead: (bytes: Int64, time: MonotonicTime)?
    /// Bytes a second that are read; nil until measured.
    var readerPace: Double?

    // MARK: The transfer under way
    var meter = LinkMeter()
    /// When a transfer that was to bring an awaited byte soon has not kept its word.
    var waitEnd: MonotonicTime?
    var transfer: Transfer?
    /// Where the transfer began.
    private var begunAt: Int64 = 0
    /// The offset of the next byte to be stored.
    var offset: Int64 = 0
    /// Bytes of the body to drop before that.
    var skip: Int64 = 0
    /// True when the head of this attempt was accepted.
    var isAccepted = false
    /// True when this attempt stored bytes.
    var broughtBytes = false
    /// True while a live stream's first bytes could be a text's.
    var isTextSoFar = true
    /// Why the transfer was stopped from within; told when curl has ended it.
    var verdict: (() -> Void)?
    var demultiplexer: ICYDemultiplexer?
    var metadata: ICYMetadataParser

    // MARK: Trying again
    var retries: RetryPolicy
    var retryAt: MonotonicTime?
    /// The first failure of a round over the mirrors that may pass.
    var hope: (PlaybackFailure.Code, String)?
    /// True while it is being found out why a name was not found.
    var isAskingName = false
    var isOver = false
    var lastProgress: MonotonicTime?
    var progressInterval = Duration.milliseconds(300)
    /// When bytes that were not told of yet are told; nil when there are none.
    var progressDue: MonotonicTime?
    var receivedBytes: Int64 = 0

    init(_ shared: SharedResource, _ loop: TransferLoop) {
        self.shared = shared
        self.loop = loop
        mirrors = Mirrors([shared.url] + shared.description.mirrors, worked: loop.worked(shared.url))
        current = mirrors.current
        currentMayBeLocal = shared.description.mayBeLocal
        metadata = ICYMetadataParser(charset: shared.description.charset)
        retries = RetryPolicy(shared.settings.retries)
        if shared.description.isFolder { folder = .asked }
    }

    /// Begins to load: from the cache, where there is one that answers.
    func open() {
        // Offline there is nobody else to ask.
        shared.greet { [] }
        lookupDeadline = .now + settings.lookupTimeout * (settings.isOffline ? 30 : 1)
        takeLookup(at: .now)
    }

    // MARK: Requests

    /// Asks for the resource from an offset on, in place of any transfer under way.
    func begin(at offset: Int64) {
        cancel()
        if settings.isOffline { return failOffline() }
        askedAt = Clocks.unixTime
        self.offset = offset
        begunAt = offset
        skip = 0
        isAccepted = false
        broughtBytes = false
        demultiplexer = nil
        shared.withState { $0.next = offset }
        retries.started(at: .now)
        meter.ask(at: .now)
        if let resolvedUntil, resolvedUntil <= Clocks.bootTime { forgetRedirects() }
        var credentials = shared.description.credentials.forRequest(to: current)
        guard complete(&credentials) else { return }
        var request = LoadingRequest(url: current)
        request.offset = known.isLive ? 0 : offset
        let document = shared.description.document
        request.isRanged =
            !known.isLive && (givesRanges != false) != triesOtherWay && folder != .asked && document == nil
        request.ifRange = known.hasBytes && !asksForChange ? known.validator.ifRange : nil
        request.unless =
            document.map { Validator(etag: $0.entityTag, lastModified: $0.lastModified) }
            ?? (asksForChange ? version.validator : nil)
        request.isDocument = document != nil
        if offset > 0 { request.end = endOfGap(at: offset) }
        request.quirks = quirks
        request.mayBeLocal = currentMayBeLocal
        request.credentials = credentials
        request.cookies = cookies[current.origin] ?? []
        request.isFolder = folder == .asked
        start(request)
    }

    private func start(_ request: LoadingRequest) {
        do throws(PlaybackFailure) {
            shared.note(.connect, request.story)
            let transfer = try Transfer(
                request, settings, receiver: self, handle: loop.handle(for: request))
            self.transfer = transfer
            loop.start(transfer)
        } catch {
            fail(error)
        }
    }

    /// Asks the first URL again, as at the beginning: its redirects may lead elsewhere by now.
    func beginAgain(at offset: Int64) {
        forgetRedirects()
        begin(at: offset)
    }

    private func forgetRedirects() {
        current = mirrors.current
        currentMayBeLocal = shared.description.mayBeLocal
        redirects = 0
        permanent = .first
        isResolved = false
        resolvedUntil = nil
    }

    /// Ends the transfer and any wait for the next.
    func cancel() {
        if let transfer { loop.cancel(transfer) }
        waitEnd = nil
        transfer = nil
        verdict = nil
        retryAt = nil
        isAskingName = false
        waiting = nil
        shared.withState { $0.isHeldBack = false }
    }

    // MARK: The readers' wishes

    /// Looks at what the readers wait for.
    func attend() {
        if lookupDeadline != nil { return takeLookup(at: .now) }
        shared.greet { news }
        guard !isOver else { return shared.tellFailure() }
        takeNameVerdict()
        takeAnswer()
        shared.wakeServed()
        let (missing, hasRoom) = shared.withState { ($0.missing, $0.canResume) }
        if !missing.isEmpty {
            transfer?.gather(1)
            bring(missing)
        }
        plan()
        if hasRoom, let transfer, transfer.isPaused {
            shared.withState { $0.isHeldBack = false }
            transfer.resume()
        }
    }

    /// What a reader that joins has missed.
    private var news: [SourceEvent] {
        guard hasAnswer, let information = shared.withState({ $0.information }) else {
            return settings.isOffline ? [] : [.connecting]
        }
        return [.information(information)] + (broughtBytes ? [.receiving] : []) + [
            .progress(progress(isComplete: isWhole))
        ]
    }

    /// Brings what is waited for: one after the other, where the transfer under way brings one of them soon.
    private func bring(_ missing: [Int64]) {
        guard let first = missing.first else { return }
        if known.isLive {
            if first < offset {
                fail(PlaybackFailure(.internal, "\(shared.url.masked) is live and cannot go back so far."))
            }
        } else if retryAt != nil || isAskingName || waiting != nil {
            offset = first
        } else if transfer == nil {
            begin(at: first)
        } else if let far = missing.first(where: { !isNear($0) }),
            isTurnOver || !missing.contains(where: isNear)
        {
            begin(at: far)
        } else if let near = missing.first(where: isNear) {
            expect(near, keepsOthersWaiting: !missing.allSatisfy(isNear))
        }
    }

    /// True when the transfer under way will bring that offset soon, or sooner than a new one could.
    private func isNear(_ awaited: Int64) -> Bool {
        guard awaited >= offset else { return false }
        return givesRanges != true || awaited - offset <= nearBytes
    }

    /// Waits for the transfer to bring an offset, as long as it is wise to.
    private func expect(_ awaited: Int64, keepsOthersWaiting: Bool) {
        let turn = keepsOthersWaiting ? turnBytes - (offset - begunAt) : 0
        let distance = max(awaited - offset, turn)
        guard givesRanges == true, distance > 0, settings.nearBytes == nil else { return }
        waitEnd = .now + meter.patience(for: distance)
    }

    /// Bytes for which a request has paid, so that a turn of another reader costs little.
    private var turnBytes: Int64 { 2 * nearBytes }

    /// True when the transfer brought that many.
    var isTurnOver: Bool { givesRanges == true && offset - begunAt >= turnBytes }

    /// True when one of several readers waits for what the transfer under way will not bring soon.
    var isMissingElsewhere: Bool {
        guard !known.isLive else { return false }
        return shared.withState { $0.readers.count > 1 ? $0.missing : [] }.contains { !isNear($0) }
    }

    /// Bytes that are sooner waited for than asked for.
    var nearBytes: Int64 { settings.nearBytes ?? meter.nearBytes ?? 131_072 }

    // MARK: Deadlines

    /// When `checkDeadline` has something to do; nil for never.
    var deadline: MonotonicTime? {
        [transferDeadline, progressDue, lookupDeadline, waitEnd, diskDeadline, transfer?.restEnd].compactMap(
            \.self
        ).min()
    }

    private var transferDeadline: MonotonicTime? {
        if let retryAt { return retryAt }
        guard let transfer, !transfer.isPaused, transfer.restEnd == nil else { return nil }
        return transfer.lastActivity + settings.stallTimeout
    }

    /// True for what nobody reads: it is only to be here.
    var isBackground: Bool {
        shared.withState { state in
            !state.readers.isEmpty && state.readers.allSatisfy { $0.purpose == .keeping }
        }
    }

    /// Tries again when it is time, and gives up a connection that is silent for too long.
    func checkDeadline(_ now: MonotonicTime) {
        if let transfer, let end = transfer.restEnd, end <= now { transfer.endRest() }
        if let progressDue, progressDue <= now { tellProgress(at: now) }
        if let lookupDeadline, lookupDeadline <= now { takeLookup(at: now) }
        if let diskDeadline, diskDeadline <= now { giveUpDisk() }
        if let waitEnd, waitEnd <= now { endWait() }
        guard let transferDeadline, transferDeadline <= now else { return }
        if retryAt != nil {
            retryAt = nil
            if known.isLive || retries.attempts > 1 { beginAgain(at: offset) } else { begin(at: offset) }
        } else if let transfer {
            // Before the request is out the limit for connecting holds.
            guard transfer.isConnected else { return transfer.keepWaiting() }
            let seconds = settings.stallTimeout.inSeconds
            let wasHere = hasAnswer
            doubtWay()
            cancel()
            broke(.timeout, wasHere ? "sent nothing for \(seconds) s" : "did not answer within \(seconds) s")
        }
    }
}
