/// The four bytes that begin a frame of MPEG audio (ISO 11172-3, 13818-3, and the "2.5" extension).
struct MPEGFrameHeader: Equatable {
    /// 1, 2 or 3.
    let layer: Int
    /// In Hz.
    let sampleRate: Int
    let channels: Int
    /// Frames of sound in one frame of the stream.
    let samples: Int
    /// Bytes with the header; 0 for free format, where only the next header tells.
    let bytes: Int
    /// Bytes without rounding to whole ones by padding; nil for free format.
    let meanBytes: Double?
    /// 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5.
    private let version: Int

    private static let rates = [44100, 48000, 32000]
    private static let kilobits: [[Int]] = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Reads a header at an index; nil where there is none.
    init?(_ data: [UInt8], at index: Int) {
        guard index >= 0, index + 4 <= data.count, data[index] == 0xFF, data[index + 1] & 0xE0 == 0xE0 else {
            return nil
        }
        let version = Int(data[index + 1] >> 3 & 3)
        let layer = 4 - Int(data[index + 1] >> 1 & 3)
        let rateIndex = Int(data[index + 2] >> 2 & 3)
        let bitrateIndex = Int(data[index + 2] >> 4)
        guard version != 1, layer != 4, rateIndex != 3, bitrateIndex != 15 else { return nil }
        self.version = version
        self.layer = layer
        channels = data[index + 3] >> 6 == 3 ? 1 : 2
        sampleRate = Self.rates[rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        samples = layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152
        let row = version == 3 ? layer - 1 : layer == 1 ? 3 : 4
        let bitrate = Self.kilobits[row][bitrateIndex] * 1000
        let padding = Int(data[index + 2] >> 1 & 1)
        let slot = layer == 1 ? 4 : 1
        meanBytes = bitrate == 0 ? nil : Double(samples / 8 * bitrate) / Double(sampleRate)
        bytes = bitrate == 0 ? 0 : (samples / 8 * bitrate / sampleRate / slot + padding) * slot
    }

    /// True when both can be of the same stream.
    func isLike(_ other: MPEGFrameHeader) -> Bool {
        version == other.version && layer == other.layer && sampleRate == other.sampleRate
            && (bytes == 0) == (other.bytes == 0)
    }

    /// Bytes of side information before the place of a Xing header in layer III.
    var sideInformationBytes: Int {
        version == 3 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
    }
}
