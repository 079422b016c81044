/// What happens to a player: commands, with the queue's part already worked out, and what the engine tells.
package enum PlaybackInput: Equatable, Sendable {
    case play, pause, stop, toggle
    /// The current entry is another one, or begins anew, at that second.
    case load(at: Double)
    /// The current entry is the prepared one now, which is open.
    case loadPrepared
    /// Go to that second; checked to be possible as far as is known.
    case seek(to: Double)

    case connecting, receiving, reconnecting
    case opened(isSeekable: Bool)
    /// The buffer is likely to keep up.
    case primed
    case clock(isRunning: Bool)
    case starved
    case seeked
    /// The prepared item is heard in place of the current one.
    case itemStarted
    /// The current item is over, and the prepared one, open already or not, is to be heard next.
    case itemAwaited(isOpened: Bool)
    case ended
    /// The item failed; the second up to which it was heard.
    case failed(at: Double)
    case deviceWaiting, deviceReady
}

/// What is to be done after an input.
package enum PlaybackAction: Equatable, Sendable {
    case open(at: Double)
    /// Play what was prepared, in place of what is open.
    case playNext
    case close
    case setRunning(Bool)
    case seek(to: Double)
    case stopOutput
    /// Sound is heard (again).
    case soundStarted
    /// The current item is over: go on in the queue.
    case advance
}
