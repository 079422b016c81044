import Base
import Testing

@testable import Decode

@Suite struct ReplayGainTests {
    typealias Field = TimedMetadata.Field

    @Test(arguments: [
        ([Field("TXXX:REPLAYGAIN_TRACK_GAIN", "-6.48 dB")], ReplayGain(track: -6.48)),
        ([Field("TXXX:replaygain_album_gain", "+3,5 dB")], ReplayGain(album: 3.5)),
        (
            [Field("REPLAYGAIN_TRACK_GAIN", "-1dB"), Field("Replaygain_Album_Gain", "2")],
            ReplayGain(track: -1, album: 2)
        ),
        ([Field("R128_TRACK_GAIN", "-2560")], ReplayGain(track: -5)),
        ([Field("R128_ALBUM_GAIN", "256"), Field("REPLAYGAIN_ALBUM_GAIN", "1 dB")], ReplayGain(album: 1)),
        ([Field("R128_TRACK_GAIN", "99999"), Field("R128_ALBUM_GAIN", "1.5")], ReplayGain()),
        ([Field("REPLAYGAIN_TRACK_GAIN", "loud"), Field("REPLAYGAIN_ALBUM_GAIN", "nan")], ReplayGain()),
        ([Field("REPLAYGAIN_TRACK_GAIN", "-900 dB"), Field("REPLAYGAIN_ALBUM_GAIN", "")], ReplayGain()),
        ([Field("TIT2", "-6 dB")], ReplayGain()),
    ])
    func theFieldsOfTagsTellTheGains(fields: [Field], gain: ReplayGain) {
        #expect(ReplayGain(fields) == gain)
    }

    /// -6 dB is -3072 512ths.
    @Test(
        arguments: [
            ("track", [1, 0xF4, 0, 0], ReplayGain(track: -6)),
            ("album", [1, 0x02, 0, 16, 0, 0], ReplayGain(album: 1)),
            ("any", [1, 0xF4, 0, 0], ReplayGain(track: -6)),
            // Another channel comes before the master volume.
            ("track", [2, 0x10, 0, 8, 0xFF, 1, 0xF4, 0, 0], ReplayGain(track: -6)),
            ("track", [2, 0x10, 0, 8, 0xFF], nil), ("track", [1, 0xF4], nil), ("", [], nil),
            ("track", [9, 0, 0, 255], nil),
        ] as [(String, [UInt8], ReplayGain?)])
    func aFrameRVA2TellsAGain(name: String, channels: [UInt8], gain: ReplayGain?) {
        #expect(ReplayGain(rva2: (Array(name.utf8) + [0] + channels)[...]) == gain)
    }

    private static func settings(_ mode: ReplayGainMode, preamp: Double = 0) -> SoundSettings {
        var settings = SoundSettings()
        settings.replayGain = mode
        settings.preamp = preamp
        return settings
    }

    private static func item(album: Bool = false, station: Double? = nil, lufs: Double? = nil) -> ItemLoudness
    {
        var item = ItemLoudness()
        item.isAlbumPart = album
        item.stationGain = station
        item.measured = lufs.map { MeasuredLoudness(lufs: $0, seconds: 100) }
        return item
    }

    private static let both = ReplayGain(track: -6, album: -4)

    @Test(
        arguments: [
            (settings(.off, preamp: 3), both, item(album: true, lufs: -10), 0),
            (settings(.track), both, item(album: true), -6), (settings(.album), both, item(), -4),
            (settings(.auto), both, item(), -6), (settings(.auto), both, item(album: true), -4),
            (settings(.auto, preamp: 2), both, item(album: true), -2),
            (settings(.album), ReplayGain(track: -6), item(), -6),
            (settings(.track), ReplayGain(album: -4), item(), -4),
            (settings(.track), ReplayGain(), item(lufs: -10), -8),
            (settings(.track, preamp: 1), ReplayGain(), item(), 1),
            // A station that hardly sends a sound is not made a thunder.
            (settings(.track), ReplayGain(), item(lufs: -60), 12),
            (settings(.off), both, item(station: -3), -3), (settings(.track), both, item(station: -3), -3),
        ] as [(SoundSettings, ReplayGain, ItemLoudness, Double)])
    func theGainIsChosen(settings: SoundSettings, tags: ReplayGain, item: ItemLoudness, decibels: Double) {
        #expect(GainChoice.decibels(settings, tags: tags, item) == decibels)
    }

    @Test func aGainOfNothingIsExactlyOne() {
        #expect(Fader.factor(decibels: 0) == 1)
        #expect(abs(Fader.factor(decibels: -6.0206) - 0.5) < 1e-5)
    }
}
