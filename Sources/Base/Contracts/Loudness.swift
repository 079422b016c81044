/// At which of its gains an item is played: `player.replayGain`.
package enum ReplayGainMode: String, Sendable, CaseIterable, JSONRepresentable {
    case off, track, album
    /// The album's between neighbours of the same album, else the track's.
    case auto

    package func write(to text: inout JSONText) { text.append(string: rawValue) }
}

/// The gains that an item's tags tell, in dB for a loudness of -18 LUFS.
package struct ReplayGain: Equatable, Sendable {
    package var track: Double?
    package var album: Double?

    package init(track: Double? = nil, album: Double? = nil) {
        self.track = track
        self.album = album
    }

    package var isEmpty: Bool { track == nil && album == nil }
}

/// A loudness that was measured while an item was heard.
package struct MeasuredLoudness: Equatable, Sendable {
    /// Integrated loudness after EBU R 128, in LUFS.
    package var lufs: Double
    /// How much of the item was measured.
    package var seconds: Double

    package init(lufs: Double, seconds: Double) {
        self.lufs = lufs
        self.seconds = seconds
    }
}

/// What is known of how loud an item is before it is opened.
package struct ItemLoudness: Equatable, Sendable {
    /// Names the resource when what was measured is told; the same number for the same URL.
    package var key: Int64 = 0
    /// True when a neighbour in the order of playing is of the same album.
    package var isAlbumPart = false
    /// A gain in dB that the configuration gives to this station, whatever else is known.
    package var stationGain: Double?
    /// As measured when it was heard before.
    package var measured: MeasuredLoudness?

    package init() {}
}

/// How items become sound; a user may change it at any time.
package struct SoundSettings: Equatable, Sendable {
    package var replayGain = ReplayGainMode.off
    /// In dB, added to every gain while `replayGain` is not off.
    package var preamp = 0.0
    /// Seconds in which one item fades into the next; 0 for none.
    package var crossfade = 0.0

    package init() {}
}
