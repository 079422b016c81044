import Base

extension Player {
    /// What a volume key changes the volume by, in percent.
    static let volumeStep = 5.0
    private static let rates = 0.25...4.0

    /// Sets the volume in percent; clamped to what is allowed, what is no number is ignored.
    package func setVolume(_ percent: Double) {
        guard percent == percent else { return }
        properties.volume.value = min(max(percent, volumes.lowerBound), volumes.upperBound)
        applyGain()
    }

    /// Mutes or unmutes; the volume stays.
    package func setMuted(_ isMuted: Bool) {
        properties.muted.value = isMuted
        applyGain()
    }

    /// Takes over what another program has set, to the per cent; what fades or is announced has a volume of its own, and
    /// the player's comes back after it.
    func follow(devicePercent percent: Double, isMuted: Bool) {
        guard fade == 1, overlay == nil, interlude?.announcement.volume == nil else { return }
        properties.muted.value = isMuted
        setVolume(percent.rounded())
    }

    /// Tells the engine how loud it is to be.
    func applyGain() {
        let own = properties.volume.value * fade
        let percent = overlay?.loudest(beside: own) ?? interlude?.announcement.volume ?? own
        engine.setGain(
            percent: percent, isMuted: properties.muted.value && interlude?.announcement.volume == nil)
    }

    /// Lets clients set volume and mute; the rate may be set to what it is.
    func addSettableProperties(to table: PropertyTable) {
        applyGain()
        addModes(to: table)
        addSleep(to: table)
        addSound(to: table)
        table.settable["player.volume"] = SettableProperty(kind: .number(volumes)) {
            [weak self, volumes] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            let percent = try Self.number(value, in: volumes, "player.volume")
            return {
                self?.endFadeIn()
                self?.setVolume(percent)
            }
        }
        table.settable["player.muted"] = SettableProperty(kind: .boolean) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            guard case .bool(let isMuted) = value else {
                throw CommandFailure(
                    .invalidParams, "player.muted is \(value.kindName); it must be true or false.")
            }
            return { self?.setMuted(isMuted) }
        }
        table.settable["player.rate"] = SettableProperty(kind: .number(Self.rates)) {
            (value: JSONValue) throws(CommandFailure) -> () -> Void in
            let rate = try Self.number(value, in: Self.rates, "player.rate")
            guard rate == 1 else {
                throw CommandFailure(
                    .unsupported, "player.rate can only be 1: other rates are not supported.")
            }
            return {}
        }
    }

    static func number(_ value: JSONValue, in range: ClosedRange<Double>, _ key: String)
        throws(CommandFailure) -> Double
    {
        let bounds =
            "a number from \(JSONText(range.lowerBound).string) to \(JSONText(range.upperBound).string)"
        guard let number = value.number else {
            throw CommandFailure(.invalidParams, "\(key) is \(value.kindName); it must be \(bounds).")
        }
        guard range.contains(number) else {
            throw CommandFailure(
                .invalidParams, "\(key) is \(JSONText(number).string); it must be \(bounds).")
        }
        return number
    }
}
