import Base

/// What is heard over the current item, which goes on more quietly beneath it. Decode thread.
///
/// The item becomes quiet, the announcement is heard, and a moment after it the item becomes loud again. All of it is
/// mixed into frames that have their places already, so that positions, marks and joins stay what they are.
final class Announcement {
    /// How the item beneath it is turned down: by 14 dB.
    private static let beneath: Float = 0.2
    /// Becoming quiet, or loud again, takes so many seconds.
    private static let rampSeconds = 0.25
    /// The item stays quiet so long after the end, in seconds: by then every output has the volume of before.
    private static let restSeconds = 0.35
    /// Ended early, it fades within that share of a second.
    private static let leaveShare = 50

    private enum Phase { case waiting, quieting, speaking, resting, rising, over }

    /// A place that something is told of when it is heard.
    struct Place {
        let ring: SampleRing
        let frame: Int
        /// True for the announcement's end, false for its beginning.
        let isEnd: Bool
    }

    /// Its item; opened when its bytes are here.
    private(set) var stage: Stage
    /// Bytes of it that were here when it was tried to be opened last.
    var triedAt: Int64 = -1
    /// Places that were not heard yet, in order.
    private(set) var places: [Place] = []

    /// The one that was heard before, as long as this one waits: beneath it the item may still be quiet.
    private(set) var before: Announcement?
    private let shares: AnnouncementShares
    private var phase = Phase.waiting
    private var framesLeft = 0
    private var isLeaving = false
    private var item = Fader()
    private var limiter = Limiter()
    private var sound: AnnouncementSound?

    init(_ stage: Stage, _ shares: AnnouncementShares, after before: Announcement?) {
        self.stage = stage
        self.shares = shares
        self.before = before
    }

    /// True until it was opened.
    var isWaiting: Bool { phase == .waiting }

    /// True when its end was heard: it only lets the item become loud again.
    var isHeardOut: Bool { isSpoken && places.isEmpty }

    private var isSpoken: Bool { phase == .resting || phase == .rising || phase == .over }

    /// True when nothing of it is to be mixed, nor to be told, any more.
    var isDone: Bool { phase == .over && places.isEmpty }

    /// Tries again with another stage: opening it was interrupted.
    func retry(with stage: Stage) { self.stage = stage }

    /// Begins; the stage is open. `gain`: what it is played at.
    func begin(gain: Float, in format: AudioFormat) {
        stage.fader.jump(to: gain * shares.announcement)
        sound = AnnouncementSound(stage)
        if let before {
            (item, limiter) = (before.item, before.limiter)
            self.before = nil
        }
        go(to: .quieting, seconds: Self.rampSeconds, format)
        item.go(to: shares.item * Self.beneath, frames: framesLeft)
    }

    /// Converts what will be mixed into so many frames, before they are withheld from the outputs.
    func prepare(frames: Int, _ format: AudioFormat) { sound?.prepare(frames: frames, format) }

    /// Ends early, with the next frames mixed.
    func leave() {
        isLeaving = true
        stage.fader.go(to: 0, frames: stage.format.sampleRate / Self.leaveShare)
        if phase == .quieting { phase = .speaking }
        places.removeAll { !$0.isEnd }
    }

    /// Mixes it into the item's frames that begin at that frame of that ring.
    func mix(into samples: UnsafeMutableBufferPointer<Float>, at frame: Int, of ring: SampleRing) {
        if phase == .waiting { unsafe before?.mix(into: samples, at: frame, of: ring) }
        if phase == .waiting || phase == .over { return }
        let channels = ring.format.channels
        let frames = samples.count / channels
        var done = 0
        while done < frames, phase != .over {
            let count =
                phase == .quieting || phase == .resting ? min(framesLeft, frames - done) : frames - done
            let part = unsafe UnsafeMutableBufferPointer(
                rebasing: samples[(done * channels)..<((done + count) * channels)])
            let mixed = unsafe mix(into: part, ring.format)
            done += mixed
            pass(at: frame + done, of: ring)
        }
        unsafe limiter.apply(to: samples, channels: channels)
    }

    /// Takes the places that were heard, in order.
    func takeHeard(_ isHeard: (Place) -> Bool) -> [Place] {
        let heard = places.prefix(while: isHeard)
        places.removeFirst(heard.count)
        return Array(heard)
    }

    // MARK: Phases

    /// Mixes what the phase asks for; returns the frames that it took.
    private func mix(into samples: UnsafeMutableBufferPointer<Float>, _ format: AudioFormat) -> Int {
        let frames = samples.count / format.channels
        var taken = frames
        if phase == .speaking, let sound {
            taken = unsafe sound.add(to: samples, beneath: &item, format)
        } else {
            unsafe item.apply(to: samples, channels: format.channels)
        }
        framesLeft -= taken
        return taken
    }

    /// Goes on to the next phase, if this one is over at that frame.
    private func pass(at frame: Int, of ring: SampleRing) {
        switch phase {
        case .quieting where framesLeft <= 0:
            places.append(Place(ring: ring, frame: frame, isEnd: false))
            phase = .speaking
        case .speaking where sound?.isOver ?? true || isLeaving && !stage.fader.isMoving:
            places.append(Place(ring: ring, frame: frame, isEnd: true))
            go(to: .resting, seconds: Self.restSeconds, ring.format)
        case .resting where framesLeft <= 0:
            phase = .rising
            item.go(to: 1, frames: ring.format.frames(inSeconds: Self.rampSeconds))
        case .rising where item.isUnity && limiter.isIdle: phase = .over
        default: break
        }
    }

    private func go(to next: Phase, seconds: Double, _ format: AudioFormat) {
        phase = next
        framesLeft = format.frames(inSeconds: seconds)
    }
}
