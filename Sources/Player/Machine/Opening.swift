extension PlaybackStateMachine {
    /// What is known of an item that is open.
    package struct Opening: Equatable, Sendable {
        package internal(set) var isReceiving = false
        package internal(set) var isReconnecting = false
        /// True when the decoder knows the item.
        package internal(set) var isOpened = false
        /// True once enough was here to begin; until it runs dry or goes elsewhere.
        package internal(set) var isPrimed = false
        /// A seek that waits for the decoder, in seconds.
        package internal(set) var waitingSeek: Double?
        /// The target of a seek that was asked for and has not landed, in seconds.
        package internal(set) var seekTarget: Double?
        /// True from a seek until its sound is heard.
        package internal(set) var isSeeking = false
        package internal(set) var isHeard = false
        /// True when some of it was heard since it was opened.
        package internal(set) var hasSounded = false
        /// True from the moment it ran dry until it is heard again.
        package internal(set) var isStalled = false

        /// An item that nothing was heard of yet; `isOpened` when it was prepared that far.
        init(isOpened: Bool = false) {
            self.isOpened = isOpened
            isReceiving = isOpened
        }

        var isReady: Bool { isOpened && isPrimed && seekTarget == nil }

        mutating func begin(seek seconds: Double) {
            seekTarget = seconds
            waitingSeek = nil
            isSeeking = true
            isPrimed = false
            isStalled = false
        }

        mutating func beginSound() {
            isHeard = true
            hasSounded = true
            isStalled = false
            isSeeking = false
        }

        /// Becomes the item that was prepared and is heard now.
        mutating func follow(isHeard: Bool) {
            self = Self()
            isReceiving = true
            isOpened = true
            isPrimed = true
            hasSounded = true
            self.isHeard = isHeard
        }

        mutating func note(_ input: PlaybackInput) -> [PlaybackAction] {
            switch input {
            case .connecting: isReceiving = false
            case .receiving:
                isReceiving = true
                isReconnecting = false
            case .reconnecting: isReconnecting = true
            case .opened(let isSeekable): return open(isSeekable: isSeekable)
            case .primed: isPrimed = isPrimed || isOpened && seekTarget == nil
            case .seeked: seekTarget = nil
            case .starved: starve()
            default: break
            }
            return []
        }

        private mutating func open(isSeekable: Bool) -> [PlaybackAction] {
            isOpened = true
            guard let target = waitingSeek else { return [] }
            waitingSeek = nil
            guard isSeekable else { return [] }
            begin(seek: target)
            return [.seek(to: target)]
        }

        private mutating func starve() {
            // A seek empties the ring on purpose.
            guard seekTarget == nil, isOpened else { return }
            isPrimed = false
            isHeard = false
            isStalled = hasSounded && !isSeeking
        }
    }
}
