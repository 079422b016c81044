import Base
import Foundation

@testable import Decode

/// All that a decoder brings of a resource.
struct Decoded {
    struct Segment {
        let format: AudioFormat
        var samples: [Float] = []
        var frames: Int { samples.count / format.channels }
    }

    var information: StreamInformation?
    var segments: [Segment] = []
    /// Metadata and the number of frames before it.
    var metadata: [(frame: Int, TimedMetadata)] = []
    var failure: PlaybackFailure?

    var frames: Int { segments.reduce(0) { $0 + $1.frames } }
    var samples: [Float] { segments.flatMap(\.samples) }

    /// Decodes a fixture from its start.
    static func file(_ name: String, _ manner: FakeSource.Manner = .init(), chunk: Int = 4410) -> Decoded {
        bytes(Fixtures.data(name), manner, name: name, chunk: chunk)
    }

    static func bytes(
        _ data: [UInt8], _ manner: FakeSource.Manner = .init(), name: String = "bytes", chunk: Int = 4410
    ) -> Decoded {
        var decoded = Decoded()
        let decoder = MPEGDecoder(reader(FakeSource(data, manner)), name: name)
        do throws(PlaybackFailure) {
            decoded.information = try decoder.open()
            try decoded.take(decoder, chunk: chunk)
        } catch { decoded.failure = error }
        return decoded
    }

    /// Decodes with whatever decoder is chosen for it.
    static func any(
        _ data: [UInt8], _ manner: FakeSource.Manner = .init(), name: String, chunk: Int = 22050
    ) -> Decoded {
        var decoded = Decoded()
        let source = FakeSource(data, manner)
        let item = DecodeItem(token: 1, source: source, name: name)
        do throws(PlaybackFailure) {
            guard let (decoder, information) = try DecoderFactory.open(item, reader(source)) else {
                return decoded
            }
            decoded.information = information
            try decoded.take(decoder, chunk: chunk)
        } catch { decoded.failure = error }
        return decoded
    }

    static func reader(_ source: FakeSource, service: @escaping () -> Bool = { false }) -> SourceReader {
        SourceReader(source, wake: WakePoint(), waiting: .init(service: service, began: {}))
    }

    /// Takes all that comes until the end.
    mutating func take(_ decoder: any Decoder, chunk: Int, atMost limit: Int = .max) throws(PlaybackFailure) {
        guard var format = information?.format else { return }
        segments.append(Segment(format: format))
        while frames < limit {
            let outcome = try step(decoder, format, min(chunk, limit - frames))
            switch outcome {
            case .formatChanged(let next):
                format = next
                segments.append(Segment(format: next))
            case .end, .interrupted: return
            default: break
            }
        }
    }

    private mutating func step(_ decoder: any Decoder, _ format: AudioFormat, _ frames: Int)
        throws(PlaybackFailure) -> DecodeOutcome
    {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames * format.channels)
        defer { unsafe buffer.deallocate() }
        let outcome = try unsafe decoder.decode(into: buffer)
        if case .frames(let count) = outcome {
            unsafe segments[segments.count - 1].samples += buffer[..<(count * format.channels)]
        }
        if case .metadata(let item) = outcome { metadata.append((self.frames, item)) }
        return outcome
    }

    /// How much of the sound is of that pitch: about 1 for a pure tone of it, 0 without it (Goertzel).
    static func share(of hz: Double, in segment: Segment, frames range: Range<Int>? = nil) -> Double {
        let range = range ?? 0..<segment.frames
        var real = 0.0
        var imaginary = 0.0
        var power = 0.0
        for frame in range {
            let value = Double(segment.samples[frame * segment.format.channels])
            let angle = 2 * Double.pi * hz * Double(frame) / Double(segment.format.sampleRate)
            real += value * cos(angle)
            imaginary += value * cos(angle - .pi / 2)
            power += value * value
        }
        let count = Double(range.count)
        return power == 0 ? 0 : 2 * (real * real + imaginary * imaginary) / count / power
    }
}
