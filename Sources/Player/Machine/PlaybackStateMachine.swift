/// What plays, as facts; pure: an input changes the facts and gives the actions that follow from it.
///
/// The state that clients see is derived from the facts, so no path can leave it untrue: what the user wishes
/// is never changed by a buffer, and `playing` needs a running clock.
package struct PlaybackStateMachine: Equatable, Sendable {
    /// What the user asked for last.
    package enum Wish: Equatable, Sendable { case stopped, paused, playing }

    package internal(set) var wish = Wish.stopped
    /// The opening that lies under it; nil when nothing is open.
    package internal(set) var opening: Opening?
    /// Where the next opening begins, in seconds.
    package internal(set) var start = 0.0
    /// What the outputs were told last.
    package internal(set) var isRunning = false
    package internal(set) var isDeviceWaiting = false

    package init() {}

    /// Takes an input and returns what is to be done, in order.
    package mutating func handle(_ input: PlaybackInput) -> [PlaybackAction] {
        let actions =
            switch input {
            case .play: play()
            case .pause: pause()
            case .stop: stop()
            case .toggle: wish == .playing ? pause() : play()
            case .load(let seconds): load(at: seconds)
            case .loadPrepared: loadPrepared()
            case .seek(let seconds): seek(to: seconds)
            case .ended: end()
            case .failed(let seconds): fail(at: seconds)
            case .clock(let isRunning): clock(isRunning)
            default: note(input)
            }
        return settle(actions)
    }

    // MARK: Commands

    private mutating func play() -> [PlaybackAction] {
        guard wish != .playing else { return [] }
        wish = .playing
        guard opening == nil else { return [] }
        opening = Opening()
        return [.open(at: start)]
    }

    private mutating func pause() -> [PlaybackAction] {
        if wish == .playing { wish = .paused }
        return []
    }

    private mutating func stop() -> [PlaybackAction] {
        start = 0
        guard wish != .stopped else { return [] }
        wish = .stopped
        opening = nil
        isDeviceWaiting = false
        return [.close, .stopOutput]
    }

    /// The current entry is another one (or begins anew): what was wished goes on with it.
    private mutating func load(at seconds: Double) -> [PlaybackAction] {
        start = seconds
        let wasOpen = opening != nil
        opening = wish == .playing ? Opening() : nil
        if wish == .playing { return [.open(at: seconds)] }
        return wasOpen ? [.close] : []
    }

    private mutating func loadPrepared() -> [PlaybackAction] {
        start = 0
        guard wish == .playing, opening != nil else { return load(at: 0) }
        opening = Opening(isOpened: true)
        return [.playNext]
    }

    private mutating func seek(to seconds: Double) -> [PlaybackAction] {
        guard var opening else {
            start = seconds
            return []
        }
        defer { self.opening = opening }
        guard opening.isOpened else {
            opening.waitingSeek = seconds
            return []
        }
        opening.begin(seek: seconds)
        return [.seek(to: seconds)]
    }

    // MARK: Events

    private mutating func end() -> [PlaybackAction] {
        guard opening != nil else { return [] }
        opening = nil
        return wish == .paused ? [.close, .advance] : [.advance]
    }

    /// A user who paused finds the item where it was, and `play` tries it again.
    private mutating func fail(at seconds: Double) -> [PlaybackAction] {
        guard opening != nil else { return [] }
        opening = nil
        guard wish == .paused else { return [.advance] }
        start = seconds
        return [.close]
    }

    private mutating func clock(_ runs: Bool) -> [PlaybackAction] {
        guard let opening, runs != opening.isHeard else { return [] }
        guard runs else {
            self.opening?.isHeard = false
            return []
        }
        // A clock that was told before the outputs had stopped says nothing any more.
        guard isRunning else { return [] }
        isDeviceWaiting = false
        self.opening?.beginSound()
        return [.soundStarted]
    }

    private mutating func note(_ input: PlaybackInput) -> [PlaybackAction] {
        if wish == .stopped { return [] }
        switch input {
        case .deviceWaiting:
            isDeviceWaiting = true
            opening?.isHeard = false
        case .deviceReady: isDeviceWaiting = false
        case .itemStarted where opening != nil: opening?.follow(isHeard: isRunning)
        case .itemAwaited(let isOpened) where opening != nil: opening = Opening(isOpened: isOpened)
        default: return opening?.note(input) ?? []
        }
        return []
    }

    /// Lets the outputs run exactly while sound is wished for and enough is here: stopped before anything else
    /// is done, begun after it.
    private mutating func settle(_ actions: [PlaybackAction]) -> [PlaybackAction] {
        let mayRun = wish == .playing && opening?.isReady == true
        guard mayRun != isRunning else { return actions }
        isRunning = mayRun
        if !mayRun { opening?.isHeard = false }
        return mayRun ? actions + [.setRunning(true)] : [.setRunning(false)] + actions
    }
}
