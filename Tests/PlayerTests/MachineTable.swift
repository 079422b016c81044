import Player
import Testing

/// The states, the inputs and what each does in each.
enum MachineTable {
    struct State: CustomTestStringConvertible {
        let name: String
        let machine: PlaybackStateMachine
        var testDescription: String { name }
    }

    static let filling: [PlaybackInput] = [.play, .connecting, .receiving, .opened(isSeekable: true)]
    static let playing: [PlaybackInput] = filling + [.primed, .clock(isRunning: true)]

    static let states: [State] = [
        ("stopped", []),
        ("connecting", [.play]),
        ("reading", [.play, .receiving]),
        ("filling", filling),
        ("starting", filling + [.primed]),
        ("playing", playing),
        ("stalled", playing + [.starved]),
        ("reconnecting", playing + [.reconnecting, .starved]),
        ("seeking", playing + [.seek(to: 30)]),
        ("landed", playing + [.seek(to: 30), .seeked]),
        ("device", playing + [.deviceWaiting]),
        ("over", playing + [.ended]),
        ("paused", playing + [.pause]),
        ("pausedConnecting", [.play, .pause]),
        ("pausedFilling", filling + [.pause]),
        ("pausedStalled", playing + [.starved, .pause]),
        ("pausedReconnecting", playing + [.reconnecting, .starved, .pause]),
        ("pausedSeeking", playing + [.pause, .seek(to: 30)]),
        ("pausedDevice", playing + [.deviceWaiting, .pause]),
        ("pausedClosed", playing + [.pause, .failed(at: 40)]),
    ].map { State(name: $0.0, machine: machine(after: $0.1)) }

    static let commands: Set<String> = ["play", "pause", "stop", "toggle", "load", "loadPrepared", "seek"]

    static let inputs: [(String, PlaybackInput)] = [
        ("play", .play), ("pause", .pause), ("stop", .stop), ("toggle", .toggle), ("load", .load(at: 0)),
        ("loadPrepared", .loadPrepared), ("seek", .seek(to: 50)), ("connecting", .connecting),
        ("receiving", .receiving),
        ("reconnecting", .reconnecting), ("opened", .opened(isSeekable: true)), ("primed", .primed),
        ("clock", .clock(isRunning: true)), ("silence", .clock(isRunning: false)), ("starved", .starved),
        ("seeked", .seeked), ("itemStarted", .itemStarted),
        ("itemAwaited", .itemAwaited(isOpened: false)), ("ended", .ended), ("failed", .failed(at: 40)),
        ("deviceWaiting", .deviceWaiting), ("deviceReady", .deviceReady),
    ]

    static func machine(after inputs: [PlaybackInput]) -> PlaybackStateMachine {
        var machine = PlaybackStateMachine()
        for input in inputs { _ = machine.handle(input) }
        return machine
    }

    static func text(_ machine: PlaybackStateMachine, _ actions: [PlaybackAction]) -> String {
        ([machine.shown] + actions.map(text)).joined(separator: " ")
    }

    private static func text(_ action: PlaybackAction) -> String {
        switch action {
        case .open(let seconds): "open@\(Int(seconds))"
        case .seek(let seconds): "seek@\(Int(seconds))"
        case .setRunning(let isRunning): isRunning ? "run" : "hold"
        default: "\(action)"
        }
    }

    /// For each state the inputs that change it: the state after it (and what lies under it), the actions.
    static let rows: [String: [String: String]] = [
        "stopped": [
            "play": "buffering:connecting open@0", "toggle": "buffering:connecting open@0",
        ],
        "connecting": [
            "pause": "paused:connecting", "stop": "stopped close stopOutput",
            "toggle": "paused:connecting", "load": "buffering:connecting open@0",
            "loadPrepared": "buffering:filling playNext",
            "receiving": "buffering:filling", "reconnecting": "buffering:reconnecting",
            "opened": "buffering:filling", "itemStarted": "buffering:filling run",
            "ended": "buffering:connecting advance", "failed": "buffering:connecting advance",
        ],
        "reading": [
            "pause": "paused:filling", "stop": "stopped close stopOutput", "toggle": "paused:filling",
            "load": "buffering:connecting open@0", "loadPrepared": "buffering:filling playNext",
            "connecting": "buffering:connecting",
            "reconnecting": "buffering:reconnecting", "itemStarted": "buffering:filling run",
            "ended": "buffering:connecting advance", "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "filling": [
            "pause": "paused:filling", "stop": "stopped close stopOutput", "toggle": "paused:filling",
            "load": "buffering:connecting open@0", "loadPrepared": "buffering:filling playNext",
            "seek": "buffering:seeking seek@50",
            "reconnecting": "buffering:reconnecting", "primed": "buffering:filling run",
            "itemStarted": "buffering:filling run", "ended": "buffering:connecting advance",
            "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "starting": [
            "pause": "paused:filling hold", "stop": "stopped hold close stopOutput",
            "toggle": "paused:filling hold", "load": "buffering:connecting hold open@0",
            "loadPrepared": "buffering:filling hold playNext",
            "seek": "buffering:seeking hold seek@50", "clock": "playing:heard soundStarted",
            "starved": "buffering:filling hold", "itemStarted": "playing:heard",
            "ended": "buffering:connecting hold advance", "failed": "buffering:connecting hold advance",
            "deviceWaiting": "buffering:device",
            "itemAwaited": "buffering:connecting hold",
        ],
        "playing": [
            "pause": "paused:filling hold", "stop": "stopped hold close stopOutput",
            "toggle": "paused:filling hold", "load": "buffering:connecting hold open@0",
            "loadPrepared": "buffering:filling hold playNext",
            "seek": "buffering:seeking hold seek@50", "silence": "buffering:filling",
            "starved": "buffering:stalled hold", "ended": "buffering:connecting hold advance",
            "failed": "buffering:connecting hold advance", "deviceWaiting": "buffering:device",
            "itemAwaited": "buffering:connecting hold",
        ],
        "stalled": [
            "pause": "paused:stalled", "stop": "stopped close stopOutput", "toggle": "paused:stalled",
            "load": "buffering:connecting open@0", "loadPrepared": "buffering:filling playNext",
            "seek": "buffering:seeking seek@50",
            "reconnecting": "buffering:reconnecting", "primed": "buffering:stalled run",
            "itemStarted": "buffering:filling run", "ended": "buffering:connecting advance",
            "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "reconnecting": [
            "pause": "paused:reconnecting", "stop": "stopped close stopOutput",
            "toggle": "paused:reconnecting", "load": "buffering:connecting open@0",
            "loadPrepared": "buffering:filling playNext",
            "seek": "buffering:reconnecting seek@50", "receiving": "buffering:stalled",
            "primed": "buffering:stalled run", "itemStarted": "buffering:filling run",
            "ended": "buffering:connecting advance", "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "seeking": [
            "pause": "paused:seeking", "stop": "stopped close stopOutput", "toggle": "paused:seeking",
            "load": "buffering:connecting open@0", "loadPrepared": "buffering:filling playNext",
            "seek": "buffering:seeking seek@50",
            "reconnecting": "buffering:reconnecting", "itemStarted": "buffering:filling run",
            "ended": "buffering:connecting advance", "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "landed": [
            "pause": "paused:seeking", "stop": "stopped close stopOutput", "toggle": "paused:seeking",
            "load": "buffering:connecting open@0", "loadPrepared": "buffering:filling playNext",
            "seek": "buffering:seeking seek@50",
            "reconnecting": "buffering:reconnecting", "primed": "buffering:seeking run",
            "itemStarted": "buffering:filling run", "ended": "buffering:connecting advance",
            "failed": "buffering:connecting advance",
            "itemAwaited": "buffering:connecting",
        ],
        "device": [
            "pause": "paused:filling hold", "stop": "stopped hold close stopOutput",
            "toggle": "paused:filling hold", "load": "buffering:connecting hold open@0",
            "loadPrepared": "buffering:filling hold playNext",
            "seek": "buffering:seeking hold seek@50", "clock": "playing:heard soundStarted",
            "starved": "buffering:stalled hold", "itemStarted": "playing:heard",
            "ended": "buffering:connecting hold advance", "failed": "buffering:connecting hold advance",
            "deviceReady": "buffering:filling",
            "itemAwaited": "buffering:connecting hold",
        ],
        "over": [
            "pause": "paused:connecting", "stop": "stopped close stopOutput",
            "toggle": "paused:connecting", "load": "buffering:connecting open@0",
            "loadPrepared": "buffering:connecting open@0",
        ],
        "paused": [
            "play": "buffering:filling run", "stop": "stopped close stopOutput",
            "toggle": "buffering:filling run", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:seeking seek@50", "reconnecting": "paused:reconnecting",
            "starved": "paused:stalled", "ended": "paused:connecting close advance",
            "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedConnecting": [
            "play": "buffering:connecting", "stop": "stopped close stopOutput",
            "toggle": "buffering:connecting", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "receiving": "paused:filling", "reconnecting": "paused:reconnecting",
            "opened": "paused:filling", "itemStarted": "paused:filling",
            "ended": "paused:connecting close advance", "failed": "paused:connecting close",
        ],
        "pausedFilling": [
            "play": "buffering:filling", "stop": "stopped close stopOutput",
            "toggle": "buffering:filling", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:seeking seek@50", "reconnecting": "paused:reconnecting",
            "ended": "paused:connecting close advance", "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedStalled": [
            "play": "buffering:stalled", "stop": "stopped close stopOutput",
            "toggle": "buffering:stalled", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:seeking seek@50", "reconnecting": "paused:reconnecting",
            "itemStarted": "paused:filling", "ended": "paused:connecting close advance",
            "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedReconnecting": [
            "play": "buffering:reconnecting", "stop": "stopped close stopOutput",
            "toggle": "buffering:reconnecting", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:reconnecting seek@50", "receiving": "paused:stalled",
            "itemStarted": "paused:filling", "ended": "paused:connecting close advance",
            "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedSeeking": [
            "play": "buffering:seeking", "stop": "stopped close stopOutput",
            "toggle": "buffering:seeking", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:seeking seek@50", "reconnecting": "paused:reconnecting",
            "itemStarted": "paused:filling", "ended": "paused:connecting close advance",
            "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedDevice": [
            "play": "buffering:device run", "stop": "stopped close stopOutput",
            "toggle": "buffering:device run", "load": "paused:connecting close",
            "loadPrepared": "paused:connecting close",
            "seek": "paused:seeking seek@50", "reconnecting": "paused:reconnecting",
            "starved": "paused:stalled", "ended": "paused:connecting close advance",
            "failed": "paused:connecting close",
            "itemAwaited": "paused:connecting",
        ],
        "pausedClosed": [
            "play": "buffering:connecting open@40", "stop": "stopped close stopOutput",
            "toggle": "buffering:connecting open@40",
        ],
    ]
}

extension PlaybackStateMachine {
    /// The state and what lies under it.
    var shown: String { wish == .stopped ? "stopped" : "\(phase.name):\(under?.rawValue ?? "heard")" }
}
