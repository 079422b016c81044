import Base
import CSoxr

/// Converts a ring's frames to a device's rate by libsoxr, and keeps what the device has not played yet.
///
/// Counts in two clocks: `written` and `heard` are frames of the device, since the last `reset`. So a pause
/// goes back to exactly what was heard without starting the filter again. Belongs to one output thread.
@safe final class Resampler {
    private static let inputChunk = 4096

    private let channels: Int
    /// Ring frames for each device frame.
    private let ratio: Double
    private let capacity: Int
    private let storage: UnsafeMutablePointer<Float>
    private let converter: soxr_t
    /// The ring frame of device frame 0.
    private var base: Int
    private var produced = 0
    private var isDrained = false
    private(set) var written = 0
    private(set) var heard = 0

    /// Begins at a ring's frame; nil when libsoxr refuses.
    init?(from source: AudioFormat, to rate: Int, bufferFrames: Int, at frame: Int) {
        guard
            let converter = unsafe jb_soxr_create(
                Double(source.sampleRate), Double(rate), UInt32(source.channels))
        else { return nil }
        unsafe self.converter = unsafe converter
        channels = source.channels
        ratio = Double(source.sampleRate) / Double(rate)
        var size = 16_384
        while size < bufferFrames * 2 { size *= 2 }
        capacity = size
        unsafe storage = .allocate(capacity: size * source.channels)
        base = frame
    }

    deinit {
        unsafe soxr_delete(converter)
        unsafe storage.deallocate()
    }

    /// Device frames to be written, in one piece; converts more from the ring when there are none.
    func readable(atMost frames: Int, from reader: inout RingReader) -> UnsafeBufferPointer<Float> {
        if produced == written { convert(from: &reader) }
        let start = written & (capacity - 1)
        let count = max(0, min(frames, produced - written, capacity - start))
        return unsafe UnsafeBufferPointer(start: storage + start * channels, count: count * channels)
    }

    /// True when nothing converted waits to be written.
    var isEmpty: Bool { written == produced }

    /// The ring's frame that belongs to the next one written.
    var givenFrame: Int { base + Int(Double(written) * ratio) }

    /// Notes frames that the device took.
    func wrote(frames: Int) { written += frames }

    /// True when all that an ended ring gives was written.
    var isWrittenOut: Bool { isDrained && written == produced }

    /// Notes the device's frame that is heard, and returns the ring's.
    func advanceHeard(to frame: Int) -> Int {
        heard = min(max(heard, frame), written)
        return base + Int(Double(heard) * ratio)
    }

    /// True when the device has played all that an ended ring gave.
    var isHeardOut: Bool { isDrained && heard == produced }

    /// Takes back what the device has not played.
    func rewindToHeard() { written = heard }

    /// Takes back the last frames written.
    func takeBack(frames: Int) { written = max(heard, written - max(0, frames)) }

    /// Forgets all and begins at a ring's frame.
    func reset(at frame: Int) {
        unsafe soxr_clear(converter)
        base = frame
        produced = 0
        written = 0
        heard = 0
        isDrained = false
    }

    /// Converts until something comes out or the ring is empty.
    private func convert(from reader: inout RingReader) {
        while true {
            let start = produced & (capacity - 1)
            let room = min(capacity - (produced - heard), capacity - start)
            guard room > 0 else { return }
            let output = unsafe storage + start * channels
            let input = unsafe reader.readable(atMost: Resampler.inputChunk)
            var used = 0
            var made = 0
            if input.isEmpty {
                guard reader.isWrittenOut, !isDrained else { return }
                _ = unsafe soxr_process(converter, nil, 0, nil, output, room, &made)
                isDrained = made < room
            } else {
                if isDrained { goOn() }
                _ = unsafe soxr_process(
                    converter, input.baseAddress, input.count / channels, &used, output, room, &made)
                reader.wrote(frames: used)
            }
            produced += made
            if made > 0 || (used == 0 && isDrained) || (used == 0 && made == 0) { return }
        }
    }

    /// A ring that had ended goes on: libsoxr takes frames after the end only when cleared.
    private func goOn() {
        unsafe soxr_clear(converter)
        isDrained = false
    }
}
