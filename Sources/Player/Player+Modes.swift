import Base

extension Player {
    /// Sets how it goes on through the queue; what was prepared is what follows then.
    package func setModes(_ modes: QueueModes) {
        queue.setModes(modes)
        properties.repeats.value = modes.repeats
        properties.shuffle.value = modes.isShuffled
        properties.consume.value = modes.isConsuming
        publish()
    }

    /// Lets clients set `player.repeat`, `player.shuffle` and `player.consume`.
    func addModes(to table: PropertyTable) {
        let words = QueueModes.Repeat.allCases.map(\.rawValue)
        table.settable["player.repeat"] = SettableProperty(kind: .choice(words)) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            guard case .string(let word) = value, let repeats = QueueModes.Repeat(rawValue: word) else {
                throw CommandFailure(
                    .invalidParams,
                    "player.repeat is \(JSONText(value).string.prefix(64)); it must be \"off\", \"all\" or \"one\"."
                )
            }
            return { self?.change { $0.repeats = repeats } }
        }
        addSwitch("player.shuffle", \.isShuffled, to: table)
        addSwitch("player.consume", \.isConsuming, to: table)
    }

    private func addSwitch(
        _ key: String, _ field: WritableKeyPath<QueueModes, Bool>, to table: PropertyTable
    ) {
        table.settable[key] = SettableProperty(kind: .boolean) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            guard case .bool(let isOn) = value else {
                throw CommandFailure(.invalidParams, "\(key) is \(value.kindName); it must be true or false.")
            }
            return { self?.change { $0[keyPath: field] = isOn } }
        }
    }

    private func change(_ change: (inout QueueModes) -> Void) {
        var modes = queue.modes
        change(&modes)
        setModes(modes)
    }
}
