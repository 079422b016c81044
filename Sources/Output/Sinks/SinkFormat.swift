import Base

/// How a sample is stored for a device; little endian.
enum SampleEncoding: Sendable, CaseIterable {
    /// 16 bits.
    case s16
    /// 24 bits in 3 bytes.
    case s24Packed
    /// 24 bits in the low part of 4 bytes.
    case s24
    /// 32 bits.
    case s32
    /// 32-bit float.
    case float
    /// Nothing: the device only counts frames.
    case nothing

    /// Bytes of one sample.
    var bytes: Int {
        switch self {
        case .s16: 2
        case .s24Packed: 3
        case .s24, .s32, .float: 4
        case .nothing: 0
        }
    }

    /// The name for people.
    var name: String {
        switch self {
        case .s16: "S16"
        case .s24Packed: "S24_3"
        case .s24: "S24"
        case .s32: "S32"
        case .float: "FLOAT"
        case .nothing: "no samples"
        }
    }
}

/// What an open device takes.
struct SinkFormat: Equatable, Sendable {
    var audio: AudioFormat
    var encoding: SampleEncoding
    /// Frames that the device holds.
    var bufferFrames: Int
    /// Frames between two wake-ups.
    var periodFrames: Int

    /// Bytes of one frame.
    var frameBytes: Int { audio.channels * encoding.bytes }
}
