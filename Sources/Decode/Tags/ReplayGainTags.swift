import Base

extension ReplayGain {
    /// What is added to R128's gains, which lead to -23 LUFS, to lead to -18.
    private static let r128Offset = 5.0
    /// Beyond these a gain is no gain, in dB.
    private static let plausible = -60.0...60.0

    /// Reads the fields of tags of any kind: `REPLAYGAIN_TRACK_GAIN`, else `R128_TRACK_GAIN`, and the same of albums.
    init(_ fields: [TimedMetadata.Field]) {
        self.init()
        var others = ReplayGain()
        for field in fields {
            // ID3v2's own texts are named TXXX:NAME.
            let name = field.name.uppercased()
            switch name.hasPrefix("TXXX:") ? String(name.dropFirst(5)) : name {
            case "REPLAYGAIN_TRACK_GAIN": track = track ?? Self.decibels(field.value)
            case "REPLAYGAIN_ALBUM_GAIN": album = album ?? Self.decibels(field.value)
            case "R128_TRACK_GAIN": others.track = Self.r128(field.value)
            case "R128_ALBUM_GAIN": others.album = Self.r128(field.value)
            default: break
            }
        }
        fill(from: others)
    }

    /// Takes over what is missing here.
    mutating func fill(from other: ReplayGain) {
        track = track ?? other.track
        album = album ?? other.album
    }

    /// Reads a frame RVA2 of ID3v2.4: whose gain it is, then for each channel its kind, the gain in 512ths of a dB,
    /// and a peak. Source: https://id3.org/id3v2.4.0-frames, 4.11
    init?(rva2 content: ArraySlice<UInt8>) {
        let name = content.prefix { $0 != 0 }
        var rest = content.dropFirst(name.count + 1)
        while rest.count >= 4 {
            let bytes = Array(rest.prefix(4))
            if bytes[0] == Self.masterVolume {
                let raw = Int16(truncatingIfNeeded: Int(bytes[1]) << 8 | Int(bytes[2]))
                let gain = Double(raw) / 512
                let isAlbum = TagText.latin1(name).lowercased() == "album"
                self.init(track: isAlbum ? nil : gain, album: isAlbum ? gain : nil)
                return
            }
            rest = rest.dropFirst(4 + (Int(bytes[3]) + 7) / 8)
        }
        return nil
    }

    private static let masterVolume: UInt8 = 1

    /// Reads `-6.48 dB`, also with a comma or without the unit.
    private static func decibels(_ text: String) -> Double? {
        let number = String(text.prefix { $0 != " " }.map { $0 == "," ? "." : $0 })
        let digits = number.lowercased().hasSuffix("db") ? String(number.dropLast(2)) : number
        guard let gain = Double(digits), plausible.contains(gain) else { return nil }
        return gain
    }

    /// Reads a whole number of 256ths of a dB. Source: RFC 7845, 5.2.1
    private static func r128(_ text: String) -> Double? {
        guard let number = Int(text), let raw = Int16(exactly: number) else { return nil }
        return Double(raw) / 256 + r128Offset
    }
}
