import Base

/// One client's interest in a set of keys.
///
/// Either it is up to date to a place in its key set's turn, or it holds what it missed in `pending`, because
/// its client reads slowly or its interval has not passed.
final class Subscription {
    let id: Int64
    let keySet: KeySet
    let withOld: Bool
    private let minInterval: Duration
    private unowned let session: Session

    /// How many of the turn's change sets it has had.
    var seen = 0
    /// The reply slot behind which its first message belongs; its own `observe` is answered there.
    var slotBefore = Int.max
    private var pending: PendingChanges?
    private var lastSent: MonotonicTime?
    private var timer: TimerQueue.Token?
    private var isQueued = false
    private(set) var isCancelled = false

    init(_ id: Int64, _ keySet: KeySet, withOld: Bool, minInterval: Duration, _ session: Session) {
        self.id = id
        self.keySet = keySet
        self.withOld = withOld
        self.minInterval = minInterval
        self.session = session
    }

    /// Sends what is due, or keeps it merged until the client reads or the interval has passed.
    func deliver(at now: MonotonicTime, isForced: Bool) {
        guard seen < keySet.turn.count, !isCancelled else { return }
        let isDue = isForced || isDue(at: now)
        if pending == nil, isDue, session.output.isDirect {
            let body = keySet.body(from: seen, withOld: withOld)
            seen = keySet.turn.count
            if let body { send(body.bytes, body.revision, at: now) }
        } else {
            keep()
            if isDue { enqueue() } else { startTimer() }
        }
    }

    private func isDue(at now: MonotonicTime) -> Bool {
        guard minInterval > .zero, let lastSent else { return true }
        return now - lastSent >= minInterval
    }

    private func keep() {
        var merged = pending ?? PendingChanges()
        for batch in keySet.turn[seen...] { merged.merge(batch.changes, revision: batch.revision) }
        seen = keySet.turn.count
        pending = merged
    }

    private func startTimer() {
        guard timer == nil, !isQueued, let lastSent else { return }
        timer = session.loop.schedule(at: lastSent + minInterval) { [weak self] in
            guard let self else { return }
            timer = nil
            enqueue()
            session.serve()
        }
    }

    /// Takes a place in the client's queue; what changes until it is written is merged into that place.
    private func enqueue() {
        stopTimer()
        guard !isQueued else { return }
        isQueued = true
        session.output.enqueue(.change(self))
        session.noteOutput()
    }

    private func stopTimer() {
        if let timer { session.loop.cancel(timer) }
        timer = nil
    }

    /// Its place in the queue has come: returns the line, nil when the values came back or it was cancelled.
    func takeLine() -> [UInt8]? {
        isQueued = false
        guard let pending, !isCancelled else { return nil }
        self.pending = nil
        guard !pending.isEmpty else { return nil }
        lastSent = .now
        return line(pending.body(withOld: withOld), pending.revision)
    }

    private func send(_ body: [UInt8], _ revision: Int64, at now: MonotonicTime) {
        lastSent = now
        session.output.appendDirectly(line(body, revision))
        session.noteOutput()
    }

    private func line(_ body: [UInt8], _ revision: Int64) -> [UInt8] {
        var text = JSONText()
        text.append(
            raw: "{\"jsonrpc\":\"2.0\",\"method\":\"changed\",\"params\":{\"subscription\":")
        text.append(number: id)
        text.append(raw: ",\"revision\":")
        text.append(number: revision)
        text.append(raw: ",\"changes\":")
        text.append(rawBytes: body)
        text.append(raw: "}}\n")
        return text.bytes
    }

    /// Ends it: nothing is sent for it any more.
    func cancel() {
        isCancelled = true
        pending = nil
        stopTimer()
        keySet.remove(self)
        session.hub.release(keySet)
    }
}
