import Base
import Decode
import Output
import Player

extension Engine {
    /// Takes one message of the engine's threads, on the control thread.
    func take(_ message: EngineMessage) {
        switch message {
        case .source(let token, let event): take(event, of: token)
        case .decode(let event): take(event)
        case .output(let event): take(event)
        case .list(let token, let outcome): take(outcome, of: token)
        case .settleEnd: settleEnd()
        }
    }

    func item(_ token: Int) -> OpenItem? {
        [current, next, aside, announced].lazy.compactMap(\.self).first { $0.token == token }
    }

    // MARK: Loading

    private func take(_ event: SourceEvent, of token: Int) {
        if case .progress = event { hearTraffic() }
        guard let item = item(token) else { return }
        switch event {
        case .connecting: hear(.connecting(token))
        case .receiving:
            // Nothing came for a while: that is not how fast bytes come now.
            item.throughput = Throughput()
            hear(.receiving(token))
        case .reconnecting(let attempt, let at, let reason):
            hear(.reconnecting(token, attempt: attempt, at: at, reason: reason))
        case .information(let information):
            item.information = information
            if information.isLocal {
                item.note(.response, "a local file of \(information.length ?? 0) bytes", journal)
            }
            hear(.information(token, information))
        case .progress(let progress):
            item.progress = progress
            item.throughput.take(bytes: progress.receivedBytes, at: .now)
            if token == current?.token { tellBuffer() }
        case .replaced: item.isReplaced = true
        case .failed:
            // The decoder meets the same failure where the bytes end, and tells it in its place.
            break
        }
    }

    // MARK: Decoding

    private func take(_ event: DecodeEvent) {
        switch event {
        case .ring(let ring):
            self.ring = ring
            line.add(ring)
            perform("play") { () throws(SystemError) in try outputs.play(ring) }
        case .ringSucceeded(_, let ring):
            self.ring = ring
            line.add(ring)
        case .attached(let slot, let ring):
            perform("play") { () throws(SystemError) in try outputs.join(slot, ring) }
        case .flushed: outputs.flushed()
        case .mark(let id, let meaning):
            marks[id] = meaning
            if case .position(let token, _) = meaning { item(token)?.isInRing = true }
        default: takeItemEvent(event)
        }
    }

    private func takeItemEvent(_ event: DecodeEvent) {
        switch event {
        case .opened(let token, let stream):
            item(token)?.stream = stream
            item(token)?.note(.decoder, stream.story, journal)
            hear(.opened(token, stream))
        case .buffered(let token, _, let offset):
            item(token)?.sourceOffset = offset
            if token == current?.token { tellBuffer() }
        case .livePlace(let token, let offset, let seconds):
            item(token)?.places.note(offset: offset, seconds: seconds)
        case .seeked(let token, let seconds):
            item(token)?.goesOn()
            tellSeeked(token, seconds)
        case .seekRefused(let token): tellSeeked(token, currentSeconds ?? 0)
        case .decodedToEnd(let token):
            item(token)?.isDecoded = true
            if token == current?.token { tellBuffer() }
            hear(.decoded(token))
            settleEnd()
        case .failed(let token, let failure): takeFailure(token, failure)
        case .announcing(let token): hear(.announcing(token))
        case .announced(let token): hear(.announced(token))
        case .lengthKnown(let token, let frames):
            guard let stream = item(token)?.stream else { return }
            item(token)?.stream?.frames = frames
            item(token)?.stream?.isEstimated = false
            let seconds = stream.format.seconds(ofFrames: frames)
            hear(.lengthKnown(token, seconds: seconds, isEstimated: false))
        case .measured(let key, let found):
            loudness.note(found, for: key)
            hearLoudness(key, found)
        case .waiting, .ring, .ringSucceeded, .attached, .flushed, .mark: break
        }
    }

    private func tellSeeked(_ token: Int, _ seconds: Double) {
        guard let serial = seekSerial else { return }
        hear(.seeked(token, serial: serial, seconds: seconds))
        tellBuffer()
    }

    /// A failure is told when what was decoded before it was heard; at once where nothing was.
    private func takeFailure(_ token: Int, _ failure: PlaybackFailure) {
        guard let item = item(token) else { return }
        if item.isInRing {
            item.failure = failure
            item.isDecoded = true
            item.note(.error, failure.message, journal)
            if token == current?.token { tellBuffer() }
        } else if goOnWithNewVersion(item) || readAsList(item, after: failure) {
            return
        } else {
            item.note(.error, failure.message, journal)
            hear(.failed(token, failure))
        }
        settleEnd()
    }

    // MARK: Hearing

    private func take(_ event: OutputEvent) {
        hearOutput(event)
        switch event.kind {
        case .clock(let ring, let frame, let at, let running):
            line.setRunning(running)
            guard let (token, seconds) = line.position(ring: ring, frame: frame) else { return }
            hear(.clock(token, seconds: seconds, at: at, isRunning: running))
        case .mark(let ring, let mark, let at): takeMark(mark, ring: ring, at: at)
        case .starved:
            if let item = current, !item.isDecoded { hear(.starved(item.token)) }
            settleEnd()
        case .ended(let ring):
            guard ring == self.ring?.id else { return }
            if current?.isDecoded == true { current?.isHeardOut = true }
            settleEnd()
        case .wantsRing: attach(slot: event.slot)
        case .failed(let text), .lost(let text): takeBroken(event.slot, text)
        case .back, .opened:
            brokenSlots.remove(event.slot)
            hear(.deviceReady)
        case .resumed, .underrun, .closed, .fallback, .remark, .leftBehind: break
        case .volume(let percent, let isMuted): hear(.deviceVolume(percent: percent, isMuted: isMuted))
        }
    }

    /// Nothing can be heard when every output that is switched on has lost its device.
    private func takeBroken(_ slot: Int, _ reason: String) {
        brokenSlots.insert(slot)
        if outputs.enabledSlots.allSatisfy(brokenSlots.contains) { hear(.deviceWaiting(reason: reason)) }
    }

    private func takeMark(_ mark: Mark, ring: Int, at time: MonotonicTime) {
        guard let meaning = marks.removeValue(forKey: mark.id) else { return }
        switch meaning {
        case .position(let token, let seconds):
            takePosition(
                HeardLine.Segment(token: token, ring: ring, frame: mark.frame, seconds: seconds), time)
        case .metadata(let token, let metadata): hear(.metadata(token, metadata))
        case .itemEnd(let token):
            guard token == current?.token else { return }
            current?.isHeardOut = true
            settleEnd()
        }
    }

    private func takePosition(_ segment: HeardLine.Segment, _ time: MonotonicTime) {
        line.begin(segment)
        if let prepared = next, prepared.token == segment.token {
            current?.source.close()
            current = prepared
            next = nil
            hear(.itemStarted(segment.token, seconds: segment.seconds, at: time))
            tellBuffer()
        } else if segment.token == current?.token {
            tellFormat(of: segment)
            hear(.clock(segment.token, seconds: segment.seconds, at: time, isRunning: line.isRunning))
        }
    }

    /// Tells a format that the item did not have before.
    private func tellFormat(of segment: HeardLine.Segment) {
        guard let item = current, let format = line.format(ofRing: segment.ring), let stream = item.stream,
            format != item.heardFormat ?? stream.format
        else { return }
        item.heardFormat = format
        hear(.format(item.token, format))
    }

    /// The current item was heard to its end, or to where it broke: goes on with what follows.
    ///
    /// A prepared item that is not here yet may still follow without a gap; when the sound has run out, it is
    /// waited for in its own name.
    func settleEnd() {
        guard let item = current, item.isHeardOut, item.isDecoded else { return }
        if let failure = item.failure {
            item.failure = nil
            if goOnWithNewVersion(item) { return }
            hear(.failed(item.token, failure))
        } else if let prepared = next {
            if !line.isRunning { goOn(with: prepared) }
        } else {
            item.isHeardOut = false
            hear(.ended(item.token))
        }
    }

    private func goOn(with prepared: OpenItem) {
        current?.source.close()
        current = prepared
        next = nil
        hear(.itemAwaited(prepared.token))
        tellBuffer()
    }
}
