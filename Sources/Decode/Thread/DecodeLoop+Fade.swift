import Base

/// Crossfades: the end of one item and the start of the next are mixed before the ring.
///
/// From the start of the fade the incoming item is the current one, in whose chunks the other is mixed. In its middle
/// lies the mark at which it is the one that is heard; up to there the fade can be taken back.
extension DecodeLoop {
    /// A shorter fade is none, in seconds.
    private static let leastSeconds = 0.1

    /// Frames that may be decoded until a fade begins, has its middle or ends; begins it when it is time.
    func framesToFade(_ stage: Stage) -> Int {
        if let fade { return fade.framesToNextPlace }
        if scan != nil { return .max }
        guard let frames = fadeFrames(from: stage), let left = stage.framesLeft else { return .max }
        if left > frames { return left - frames }
        return .max
    }

    /// Begins a fade if it is time for one; the current item is another one then.
    func beginFade() -> Bool {
        guard sound.crossfade > 0, fade == nil, scan == nil, let stage = current, let left = stage.framesLeft
        else {
            return false
        }
        // An output that takes sound as fast as it comes leaves no other time for it.
        let isNear = left <= stage.format.frames(inSeconds: sound.crossfade + 1)
        if prepared == nil, isNear, prepareNext() { return true }
        guard let incoming = prepared, let frames = fadeFrames(from: stage), left <= frames else {
            return false
        }
        fade = Crossfade(stage, frames: min(frames, left))
        next = nil
        prepared = nil
        setGain(of: incoming, after: nil)
        current = incoming
        tell(.decodedToEnd(token: stage.item.token))
        return true
    }

    /// How long the fade from that item to the prepared one is; nil where there is none.
    private func fadeFrames(from stage: Stage) -> Int? {
        guard sound.crossfade > 0, let prepared, let incoming = prepared.information,
            let outgoing = stage.information, prepared.format == stage.format, !outgoing.joins(incoming),
            isHere(stage), let left = stage.framesLeft
        else { return nil }
        let shorter = min(outgoing.frames ?? .max, incoming.frames ?? .max)
        let frames = min(stage.format.frames(inSeconds: sound.crossfade), shorter / 2)
        let isLongEnough = min(frames, left) >= stage.format.frames(inSeconds: Self.leastSeconds)
        return isLongEnough ? frames : nil
    }

    /// True when what is left of an item need not be waited for.
    private func isHere(_ stage: Stage) -> Bool {
        guard let information = stage.item.source.information, let length = information.length else {
            return false
        }
        let offset = stage.reader.offset
        return information.isLocal || stage.item.source.bytesAvailable(from: offset) >= length - offset
    }

    /// After a chunk: marks the middle of the fade, or ends it.
    func passFade(_ stage: Stage) {
        guard let fade else { return }
        if !stage.isStarted, fade.done >= fade.middle {
            if let ring = rings.ring { finished = (fade.outgoing, ring, rings.produced) }
            goOn(stage)
        }
        if fade.done >= fade.frames { endFade() }
    }

    /// Lets the outgoing item go.
    func endFade() {
        guard let ended = fade else { return }
        fade = nil
        finishMeasuring(ended.outgoing)
    }

    /// True while the outgoing item is still the one that is heard.
    var isFadeRevocable: Bool {
        guard let fade else { return false }
        return current?.isStarted == false || finished?.stage === fade.outgoing
    }

    /// The outgoing item stays after all, from where it is heard; what was mixed is thrown away.
    func revokeFade() {
        guard let revoked = fade else { return }
        let stage = revoked.outgoing
        let heard = stage.seconds - stage.format.seconds(ofFrames: rings.framesAhead)
        takeBack(revoked)
        flush()
        do throws(PlaybackFailure) {
            try stage.seek(toSeconds: max(0, heard))
            goOn(stage)
        } catch {
            fail(stage, error)
        }
    }

    /// The outgoing item is sought in: the other one follows it once more, from its start.
    func goBackInFade() {
        guard let revoked = fade else { return }
        next = current?.item
        preparedAt = -1
        takeBack(revoked)
    }

    private func takeBack(_ revoked: Crossfade) {
        fade = nil
        finished = nil
        current = revoked.outgoing
    }
}

extension StreamInformation {
    /// True when both are of one album whose items join without a seam.
    fileprivate func joins(_ next: StreamInformation) -> Bool {
        isGapless && next.isGapless && tags.album != nil && tags.album == next.tags.album
    }
}
