package import Base

/// What a key of a keyboard, a headset or a desktop asks for, by any of the names such keys come with.
package enum RemoteEvent: Equatable, Sendable {
    case play, pause, stop, toggle, next, previous
    case raiseVolume, lowerVolume, mute
    /// From off to all to one to off.
    case cycleRepeat
    case beginScan(ScanDirection), endScan
    case toggleShuffle
    /// A known key for what this player does not do.
    case unsupported

    /// The names that are taken, each with what it asks for.
    package static let names: [String: RemoteEvent] = events.merging(withPrefix) { name, _ in name }

    /// Finds a name. Throws invalid_params for one that no key comes with, unsupported for what does not exist.
    package init(named name: String) throws(CommandFailure) {
        guard let event = Self.names[name] else {
            throw CommandFailure(
                .invalidParams,
                "There is no remote-control event \"\(name.prefix(64))\"; known are togglePlayPause, nextTrack, "
                    + "PlayPause, Next, XF86AudioPlay, XF86AudioMute and others of their kinds.")
        }
        guard event != .unsupported else {
            throw CommandFailure(.unsupported, "The remote-control event \(name) is not supported.")
        }
        self = event
    }

    private static let events: [String: RemoteEvent] = [
        // The subtypes of UIEvent.
        "play": .play, "pause": .pause, "stop": .stop, "togglePlayPause": .toggle,
        "nextTrack": .next, "previousTrack": .previous,
        "beginSeekingForward": .beginScan(.forward), "endSeekingForward": .endScan,
        "beginSeekingBackward": .beginScan(.backward), "endSeekingBackward": .endScan,
        // The methods of org.mpris.MediaPlayer2.Player that need no parameter.
        "Play": .play, "Pause": .pause, "Stop": .stop, "PlayPause": .toggle,
        "Next": .next, "Previous": .previous,
        // The multimedia keysyms of XF86keysym.h. The play key of a keyboard is play and pause in one.
        "XF86AudioPlay": .toggle, "XF86AudioPause": .pause, "XF86AudioStop": .stop,
        "XF86AudioNext": .next, "XF86AudioPrev": .previous,
        "XF86AudioRaiseVolume": .raiseVolume, "XF86AudioLowerVolume": .lowerVolume, "XF86AudioMute": .mute,
        "XF86AudioForward": .unsupported, "XF86AudioRewind": .unsupported,
        "XF86AudioRepeat": .cycleRepeat, "XF86AudioRandomPlay": .toggleShuffle,
        "XF86AudioCycleTrack": .unsupported, "XF86AudioRecord": .unsupported,
        "XF86AudioMicMute": .unsupported, "XF86AudioMedia": .unsupported, "XF86AudioPreset": .unsupported,
        // This protocol's own.
        "toggle": .toggle, "next": .next, "previous": .previous,
    ]

    /// UIKit's own spelling, such as `remoteControlTogglePlayPause`.
    private static var withPrefix: [String: RemoteEvent] {
        let subtypes = [
            "play", "pause", "stop", "togglePlayPause", "nextTrack", "previousTrack", "beginSeekingForward",
            "endSeekingForward", "beginSeekingBackward", "endSeekingBackward",
        ]
        return Dictionary(
            uniqueKeysWithValues: subtypes.compactMap { name in
                events[name].map { ("remoteControl" + name.prefix(1).uppercased() + name.dropFirst(), $0) }
            })
    }
}

extension Player {
    /// Does what a key of that name asks for. Throws invalid_params, or unsupported for what does not exist yet.
    ///
    /// `owner` is the client that asks, for what is held as long as it is there.
    package func remote(_ name: String, for owner: Int = 0) throws(CommandFailure) {
        switch try RemoteEvent(named: name) {
        case .play: try play()
        case .pause: pause()
        case .stop: stop()
        case .toggle: try toggle()
        case .next: try next()
        case .previous: try previous()
        case .beginScan(let direction): try beginScan(direction, for: owner)
        case .endScan: endScan()
        case .raiseVolume: setVolume(properties.volume.value + Self.volumeStep)
        case .lowerVolume: setVolume(properties.volume.value - Self.volumeStep)
        case .mute: setMuted(!properties.muted.value)
        case .cycleRepeat:
            var modes = queue.modes
            modes.repeats = modes.repeats == .off ? .all : modes.repeats == .all ? .one : .off
            setModes(modes)
        case .toggleShuffle:
            var modes = queue.modes
            modes.isShuffled.toggle()
            setModes(modes)
        case .unsupported:
            throw CommandFailure(.unsupported, "The remote-control event \(name) is not supported.")
        }
    }
}
