package import Base

extension Player {
    /// What `player.crossfade` can be, in seconds.
    private static let crossfades = 0.0...15.0

    /// Sets at which gain items are played, and how long one fades into the next.
    package func setSound(_ settings: SoundSettings) {
        var settings = settings
        settings.crossfade = min(
            max(settings.crossfade, Self.crossfades.lowerBound), Self.crossfades.upperBound)
        guard settings != sound else { return }
        sound = settings
        properties.replayGain.value = settings.replayGain
        properties.crossfade.value = settings.crossfade
        engine.setSound(settings)
        publish()
    }

    /// What the engine opens of an entry.
    func playable(_ entry: QueueEntry) -> PlayableItem {
        var item = entry.playable
        item.isAlbumPart = isAlbumPart(entry)
        return item
    }

    /// True when the entry before or after it is of the same album; never in an order of chance.
    private func isAlbumPart(_ entry: QueueEntry) -> Bool {
        guard !queue.modes.isShuffled, let index = queue.index(of: entry.id) else { return false }
        return [index - 1, index + 1].contains { queue.entry(at: $0)?.isOfSameAlbum(as: entry) ?? false }
    }

    /// Lets clients set `player.replayGain` and `player.crossfade`.
    func addSound(to table: PropertyTable) {
        let words = ReplayGainMode.allCases.map(\.rawValue)
        table.settable["player.replayGain"] = SettableProperty(kind: .choice(words)) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            guard case .string(let word) = value, let mode = ReplayGainMode(rawValue: word) else {
                throw CommandFailure(
                    .invalidParams,
                    "player.replayGain is \(JSONText(value).string.prefix(64)); it must be one of "
                        + words.joined(separator: ", ") + ".")
            }
            return { self?.changeSound { $0.replayGain = mode } }
        }
        table.settable["player.crossfade"] = SettableProperty(kind: .number(Self.crossfades)) {
            [weak self] (value: JSONValue) throws(CommandFailure) -> () -> Void in
            let seconds = try Self.number(value, in: Self.crossfades, "player.crossfade")
            return { self?.changeSound { $0.crossfade = seconds } }
        }
    }

    private func changeSound(_ change: (inout SoundSettings) -> Void) {
        var settings = sound
        change(&settings)
        setSound(settings)
    }
}

extension QueueEntry {
    /// By their tags where both are known, else by the folder in which they lie.
    fileprivate func isOfSameAlbum(as other: QueueEntry) -> Bool {
        if let album, let others = other.album { return album == others }
        guard let slash = url.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        return url.utf8[...slash].elementsEqual(other.url.utf8.prefix(url.utf8[...slash].count))
            && !other.url.utf8.dropFirst(url.utf8[...slash].count).contains(UInt8(ascii: "/"))
    }
}
