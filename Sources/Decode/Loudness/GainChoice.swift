import Base

/// Which gain an item is played at.
enum GainChoice {
    /// The loudness that ReplayGain's numbers lead to, in LUFS.
    static let reference = -18.0
    /// What was measured is made louder or softer by that much at most, in dB.
    private static let measuredGains = -24.0...12.0

    /// In dB; 0 leaves every sample as it is.
    static func decibels(_ settings: SoundSettings, tags: ReplayGain, _ item: ItemLoudness) -> Double {
        if let gain = item.stationGain { return gain }
        if settings.replayGain == .off { return 0 }
        return settings.preamp + (told(settings.replayGain, tags, item) ?? measured(item) ?? 0)
    }

    /// True when the item's own loudness matters and nothing tells it.
    static func needsMeasuring(_ settings: SoundSettings, tags: ReplayGain, _ item: ItemLoudness) -> Bool {
        settings.replayGain != .off && tags.isEmpty && item.stationGain == nil
    }

    private static func told(_ mode: ReplayGainMode, _ tags: ReplayGain, _ item: ItemLoudness) -> Double? {
        let isAlbum = mode == .album || mode == .auto && item.isAlbumPart
        return isAlbum ? tags.album ?? tags.track : tags.track ?? tags.album
    }

    private static func measured(_ item: ItemLoudness) -> Double? {
        guard let lufs = item.measured?.lufs, lufs.isFinite else { return nil }
        return min(max(reference - lufs, measuredGains.lowerBound), measuredGains.upperBound)
    }
}
