package import Base

/// The state as clients see it.
package enum PlaybackPhase: Equatable, Sendable {
    case stopped, playing, paused
    case buffering(WaitingReason)

    /// The protocol's name, for `player.state`.
    package var name: String {
        switch self {
        case .stopped: "stopped"
        case .playing: "playing"
        case .paused: "paused"
        case .buffering: "buffering"
        }
    }

    /// Why it is buffering; nil when it is not.
    package var waitingReason: WaitingReason? {
        if case .buffering(let reason) = self { reason } else { nil }
    }
}

/// Why nothing is heard though the user wants to hear it.
package enum WaitingReason: String, Sendable, CaseIterable, JSONRepresentable {
    case connecting, filling, stalled, reconnecting, seeking, device

    package func write(to text: inout JSONText) { text.append(string: rawValue) }
}

extension PlaybackStateMachine {
    /// The state as clients see it.
    package var phase: PlaybackPhase {
        switch wish {
        case .stopped: .stopped
        case .paused: .paused
        case .playing: under.map { .buffering($0) } ?? .playing
        }
    }

    /// What keeps the sound away, whatever the user wishes; nil while it is heard.
    package var under: WaitingReason? {
        guard let opening else { return .connecting }
        if opening.isHeard { return nil }
        if opening.isReconnecting, !isRunning { return .reconnecting }
        if !opening.isOpened { return opening.isReceiving ? .filling : .connecting }
        if isDeviceWaiting, isRunning { return .device }
        if opening.isSeeking { return .seeking }
        return opening.isStalled ? .stalled : .filling
    }
}
