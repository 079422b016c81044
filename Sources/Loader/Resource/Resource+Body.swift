import Base

/// The bytes of an answer.
extension Resource {
    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        // An answer without a head (HTTP/0.9): the bytes are all there is.
        if !transfer.head.isComplete, !isAccepted, !take(transfer.head, of: transfer) { return .stop }
        guard verdict == nil else { return .stop }
        let dropped = Int(min(Int64(bytes.count), skip))
        let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[dropped...])
        let before = offset
        guard unsafe body.isEmpty || store(body) else {
            meter.rest()
            // Held back for one reader, it must not keep another waiting.
            return isMissingElsewhere ? stop { $0.attend() } : .pause
        }
        skip -= Int64(dropped)
        if known.isLive, before < textBytes, isTextSoFar {
            isTextSoFar = unsafe body.prefix(Int(textBytes - before)).allSatisfy { Self.isText($0) }
        }
        meter.take(bytes: bytes.count, at: .now)
        if offset > before { noteProgress(offset - before) }
        if known.isLive { gather(transfer) }
        if isGapFilled { return stop { $0.plan() } }
        return isTurnOver && isMissingElsewhere ? stop { $0.attend() } : .taken
    }

    /// Bytes after which no sound is taken for text.
    private var textBytes: Int64 { 1024 }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f || (0x09...0x0d).contains(byte) || byte == 0x1b
    }

    private func stop(_ verdict: @escaping (Resource) -> Void) -> Transfer.Verdict {
        self.verdict = { [self] in verdict(self) }
        return .stop
    }

    /// A station sends a packet at a time; with enough in hand, a wake-up for a few of them together is soon
    /// enough.
    private func gather(_ transfer: Transfer) {
        let ahead = shared.withState { $0.store.available(from: $0.position) }
        let isPlenty = ahead >= settings.gatherFrom
        transfer.gather(isPlenty ? settings.gatheredBytes : 1)
        progressInterval = isPlenty ? .seconds(1) : .milliseconds(300)
    }

    private func store(_ body: UnsafeRawBufferPointer) -> Bool {
        let start = offset
        return shared.store(at: &offset, bytes: body.count) { state in
            guard demultiplexer != nil else {
                unsafe state.store.write(body, at: start, reader: state.position)
                return body.count
            }
            let (store, reader) = (state.store, state.position)
            var at = start
            var news: [TimedMetadata] = []
            unsafe demultiplexer?.feed(
                body,
                sound: { part in
                    unsafe store.write(part, at: at, reader: reader)
                    at += Int64(part.count)
                },
                metadata: { block in
                    guard let fields = metadata.parse(block) else { return }
                    news.append(TimedMetadata(source: .icy, fields: fields, offset: at))
                })
            // Under the same lock as their sound, or the reader could have read on past them.
            for metadata in news { state.add(metadata) }
            return Int(at - start)
        }
    }

    private func noteProgress(_ bytes: Int64) {
        receivedBytes += bytes
        if !broughtBytes {
            broughtBytes = true
            triesOtherWay = false
            askedAgain = false
            known.hasBytes = true
            hope = nil
            mirrors.beginRound()
            if mirrors.isPlural { loop.remember(mirrors.current, for: shared.url) }
            shared.tell(.receiving)
        }
        let now = MonotonicTime.now
        if let lastProgress, now - lastProgress < progressInterval {
            // What came last is told even when nothing follows it.
            progressDue = progressDue ?? lastProgress + progressInterval
            return
        }
        tellProgress(at: now)
    }

    /// Tells how far the resource is loaded.
    func tellProgress(at now: MonotonicTime, isComplete: Bool = false) {
        adaptReadAhead(at: now)
        lastProgress = now
        progressDue = nil
        shared.tell(.progress(progress(isComplete: isComplete)))
    }

    /// How far the resource is loaded.
    func progress(isComplete: Bool = false) -> LoadProgress {
        let (ranges, isGivenUp) = shared.withState { ($0.store.ranges, $0.failure != nil) }
        return LoadProgress(
            receivedBytes: receivedBytes, ranges: ranges, isComplete: isComplete, isGivenUp: isGivenUp)
    }
}
