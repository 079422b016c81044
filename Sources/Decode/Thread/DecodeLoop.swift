import Base

/// What the decode thread does; confined to it.
///
/// A turn serves the commands and then decodes one chunk, opens an item, or finds nothing to do and sleeps.
final class DecodeLoop {
    let inbox: DecodeInbox
    let tell: (DecodeEvent) -> Void
    let rings: RingChain

    // MARK: Items

    /// Being opened or decoded.
    var current: Stage?
    /// Decoded to its end and still to be heard, so that a seek can go back to it.
    var finished: (stage: Stage, ring: SampleRing, end: Int)?
    /// What follows the current item.
    var next: DecodeItem?
    /// What follows, opened early.
    var prepared: Stage?
    /// Bytes of the next item that were here when it could not be opened early.
    var preparedAt: Int64 = -1

    // MARK: Commands

    /// Slots for new first rings.
    var slots: UInt8 = 0
    /// Commands that ended a wait for bytes and are to be served by the loop.
    var deferred: [DecodeCommand] = []

    // MARK: Sound

    /// How items become sound.
    var sound = SoundSettings()
    var limiter = Limiter()
    /// The item before the current one while both are heard together.
    var fade: Crossfade?
    /// While a key is held.
    var scan: Scan?
    /// What is heard over the current item.
    var announcement: Announcement?
    private var marks = MarkPlacer()
    private var pace = Pace()
    private var isWaitingTold = false

    init(inbox: DecodeInbox, tell: @escaping (DecodeEvent) -> Void) {
        self.inbox = inbox
        self.tell = tell
        rings = RingChain(wake: inbox.wake)
    }

    /// Runs for ever.
    func run() -> Never {
        while true {
            serveCommands()
            if !turn() { inbox.wake.wait() }
        }
    }

    // MARK: Turns

    /// Does one piece of work; false when there is none until something signals.
    private func turn() -> Bool {
        if !deferred.isEmpty { return true }
        dropHeard()
        if passAnnouncement() { return true }
        guard let stage = current else { return awaitAnnouncement() }
        if stage.decoder == nil { return begin(stage) }
        if !marks.placeHeldBack(in: rings) {
            rings.wake(whenAhead: rings.framesAhead - stage.format.sampleRate / 10)
            return false
        }
        if pace.isReady(rings) { return beginFade() || produce(stage) }
        if prepareNext() { return true }
        rings.wake(whenAhead: max(pace.lowPoint(rings), framesToAnnouncementPlace ?? 0))
        // What was heard before the wish was published wakes nobody.
        return pace.isReady(rings) || passAnnouncement()
    }

    private func dropHeard() {
        rings.dropHeard()
        if current != nil, let done = finished, rings.isHeard(done.end, of: done.ring) { finished = nil }
    }

    /// Decodes a chunk into the ring. False when the decoder was interrupted.
    private func produce(_ stage: Stage) -> Bool {
        guard let decoder = stage.decoder else { return false }
        let wasLow = rings.framesAhead < stage.format.sampleRate / 4
        let room = unsafe rings.contiguousRoom(
            atMost: min(pace.chunk(stage.format), framesToFade(stage), scan?.framesLeft ?? .max))
        do throws(PlaybackFailure) {
            switch try unsafe decoder.decode(into: room) {
            case .frames(let frames):
                unsafe shape(.init(rebasing: room[..<(frames * stage.format.channels)]), of: stage)
                rings.commit(frames: frames)
                stage.advance(frames: frames)
                passFade(stage)
                try passScan(stage)
                if pace.produced(frames, stage.format, wasLow: wasLow) { tellBuffered(stage) }
            case .formatChanged(let format):
                endFade()
                stage.change(to: format)
                goOn(stage)
            case .jumped(let seconds):
                stage.jump(toSeconds: seconds)
                goOn(stage)
            case .metadata(let metadata):
                mark(.metadata, .metadata(token: stage.item.token, metadata))
            case .end: end(stage)
            case .interrupted: break
            }
        } catch {
            fail(stage, error)
        }
        return true
    }

    private func tellBuffered(_ stage: Stage) {
        isWaitingTold = false
        tellMeasured(stage)
        if let place = stage.decoder?.livePlace {
            tell(.livePlace(token: stage.item.token, offset: place.offset, seconds: place.seconds))
        }
        tell(
            .buffered(
                token: stage.item.token, framesInRing: rings.framesAhead, sourceOffset: stage.reader.offset))
    }

    // MARK: Beginning

    /// Makes the stage of an item.
    func stage(for item: DecodeItem) -> Stage {
        let waiting = SourceReader.Waiting(
            // Only the current item is waited for.
            service: { [unowned self] in current?.item.token == item.token ? mustAbandon() : true },
            began: { [unowned self] in tellWaiting(item.token) })
        return Stage(item, SourceReader(item.source, wake: inbox.wake, waiting: waiting))
    }

    private func tellWaiting(_ token: Int) {
        if isWaitingTold || current?.item.token != token { return }
        isWaitingTold = true
        // The readers must drain what is there while the next item is not.
        if current?.decoder == nil { rings.end() }
        tell(.waiting(token: token))
    }

    /// Opens the current item and begins to play it.
    private func begin(_ stage: Stage) -> Bool {
        do throws(PlaybackFailure) {
            guard try stage.open(), let information = stage.information else {
                // The command that interrupted either replaces this stage or opens it again.
                if current === stage { current = self.stage(for: stage.item) }
                current?.startSeconds = stage.startSeconds
                return true
            }
            tell(.opened(token: stage.item.token, information))
            play(stage)
        } catch {
            fail(stage, error)
        }
        return true
    }

    /// Leads an open stage into the rings.
    func play(_ stage: Stage) {
        setGain(of: stage, after: rings.ring == nil ? nil : finished?.stage)
        if rings.ring == nil {
            tell(.ring(rings.start(stage.format, slots: slots)))
            pace = Pace()
        }
        goOn(stage)
    }

    /// Puts the place of the stage at the next frame of a ring of its format.
    func goOn(_ stage: Stage) {
        if let (old, new) = rings.goOn(in: stage.format) {
            tell(.ringSucceeded(old, by: new))
            marks.carryOver(to: rings)
            pace = Pace()
        }
        stage.isStarted = true
        mark(.position, .position(token: stage.item.token, seconds: stage.seconds))
    }

    /// Opens what follows while there is time, if its bytes are here. True when it was done.
    func prepareNext() -> Bool {
        guard let item = next, prepared == nil, rings.hasReaders,
            item.source.information?.isSeekable == true,
            item.source.information?.isLive != true
        else { return false }
        let here = item.source.bytesAvailable(from: 0)
        guard here > preparedAt else { return false }
        preparedAt = here &+ (256 << 10)
        let stage = stage(for: item)
        do throws(PlaybackFailure) {
            guard try stage.open(), let information = stage.information else { return false }
            prepared = stage
            tell(.opened(token: item.token, information))
        } catch {
            next = nil
            tell(.failed(token: item.token, error))
        }
        return true
    }

    // MARK: Ending

    func end(_ stage: Stage) {
        endFade()
        scan = nil
        finishMeasuring(stage)
        if let frames = stage.correctedLength { tell(.lengthKnown(token: stage.item.token, frames: frames)) }
        close(stage)
        tell(.decodedToEnd(token: stage.item.token))
        followUp()
    }

    /// Goes over to what follows, if there is something.
    func followUp() {
        guard current == nil else { return }
        guard let item = next else {
            rings.end()
            return
        }
        next = nil
        if let stage = prepared {
            prepared = nil
            current = stage
            play(stage)
        } else {
            current = stage(for: item)
        }
    }

    func fail(_ stage: Stage, _ failure: PlaybackFailure) {
        if isFadeRevocable, stage === current {
            revokeFade()
            tell(.failed(token: stage.item.token, failure))
            return
        }
        endFade()
        scan = nil
        if stage.isStarted { close(stage) } else { current = nil }
        next = nil
        prepared = nil
        rings.end()
        tell(.failed(token: stage.item.token, failure))
    }

    /// Marks the end of the stage's sound.
    private func close(_ stage: Stage) {
        mark(.itemEnd, .itemEnd(token: stage.item.token))
        if let ring = rings.ring { finished = (stage, ring, rings.produced) }
        current = nil
        // Wake-ups for a ring that will not be filled are of no use.
        rings.wake(whenAhead: .min / 2)
        tellBuffered(stage)
    }

    // MARK: Marks

    private func mark(_ kind: Mark.Kind, _ meaning: MarkMeaning) {
        let id = marks.newID()
        tell(.mark(id: id, meaning))
        marks.place(Mark(frame: rings.produced, kind: kind, id: id), in: rings)
    }

    /// Throws away what was not heard, and the marks that wait for a place.
    func flush() {
        marks.forget()
        rings.flush()
        pace = Pace()
        tell(.flushed)
    }
}
