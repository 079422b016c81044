package import Base

/// The one form in which an output for readers elsewhere sends its sound, and how far ahead of them it is.
package struct StreamFormat: Equatable, Sendable {
    /// What Snapcast takes where nothing else is said.
    package static let usual = StreamFormat(sampleRate: 48_000, bits: 16, channels: 2)

    package let audio: AudioFormat
    /// Bits of a sample: 16, 24 (in the low part of 4 bytes) or 32; little endian.
    package let bits: Int
    /// How much a reader has in hand, against hiccups of either side.
    package let lead: Duration

    /// The lead is 0.2 s where nothing else is said.
    package init(sampleRate: Int, bits: Int, channels: Int, lead: Duration = .milliseconds(200)) {
        audio = AudioFormat(sampleRate: sampleRate, channels: channels)
        self.bits = bits
        self.lead = lead
    }

    /// Reads Snapcast's `RATE:BITS:CHANNELS`; nil for what is none, or beyond 8000…384000, 16, 24 or 32, and 1…8.
    package init?(parsing text: some StringProtocol) {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let rate = numbers[0], let bits = numbers[1], let channels = numbers[2],
            (8000...384_000).contains(rate), [16, 24, 32].contains(bits), (1...8).contains(channels)
        else { return nil }
        self.init(sampleRate: rate, bits: bits, channels: channels)
    }

    /// The same with another lead.
    func leading(by lead: Duration) -> StreamFormat {
        StreamFormat(sampleRate: audio.sampleRate, bits: bits, channels: audio.channels, lead: lead)
    }

    /// How its samples lie in memory.
    var encoding: SampleEncoding { bits == 16 ? .s16 : bits == 24 ? .s24 : .s32 }

    var frameBytes: Int { audio.channels * encoding.bytes }

    /// The bytes of whole frames that last for so long.
    func bytes(in duration: Duration) -> Int { audio.frames(inSeconds: duration.inSeconds) * frameBytes }
}
