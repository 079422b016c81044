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
        guard unsafe body.isEmpty || store(body) else { return .pause }
        skip -= Int64(dropped)
        if offset > before { noteProgress(offset - before) }
        return .taken
    }

    private func store(_ body: UnsafeRawBufferPointer) -> Bool {
        var titles: [(offset: Int64, block: [UInt8])] = []
        let start = offset
        let isStored = shared.store(
            &offset,
            { store, reader in
                guard demultiplexer != nil else {
                    unsafe store.write(body, at: start, reader: reader)
                    return body.count
                }
                var at = start
                unsafe demultiplexer?.feed(
                    body,
                    sound: { part in
                        unsafe store.write(part, at: at, reader: reader)
                        at += Int64(part.count)
                    }, metadata: { titles.append((at, $0)) })
                return Int(at - start)
            }, bytes: body.count)
        for title in titles {
            if let fields = metadata.parse(title.block) { tell(fields, at: title.offset) }
        }
        return isStored
    }

    /// Hands metadata to the reader; it holds from the next byte of sound on unless said otherwise.
    func tell(_ fields: [TimedMetadata.Field], at place: Int64? = nil) {
        shared.add(TimedMetadata(source: .icy, fields: fields, offset: place ?? offset))
    }

    private func noteProgress(_ bytes: Int64) {
        receivedBytes += bytes
        if !broughtBytes {
            broughtBytes = true
            askedAgain = false
            known.hasBytes = true
            shared.events(.receiving)
        }
        let now = MonotonicTime.now
        if let lastProgress, now - lastProgress < .milliseconds(300) {
            // What came last is told even when nothing follows it.
            progressDue = progressDue ?? lastProgress + .milliseconds(300)
            return
        }
        tellProgress(at: now)
    }

    /// Tells how far the resource is loaded.
    func tellProgress(at now: MonotonicTime, isComplete: Bool = false) {
        lastProgress = now
        progressDue = nil
        let ranges = shared.withState { $0.store.ranges }
        shared.events(
            .progress(LoadProgress(receivedBytes: receivedBytes, ranges: ranges, isComplete: isComplete)))
    }
}
