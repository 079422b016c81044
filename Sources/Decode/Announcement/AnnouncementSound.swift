import Base

/// The sound of an announcement, at the rate and with the channels of what it is mixed into. Decode thread.
final class AnnouncementSound {
    /// Frames that are decoded at a time.
    private static let chunkFrames = 2304

    /// True when all of it was given.
    private(set) var isOver = false

    private let stage: Stage
    /// What it was converted for last.
    private var format: AudioFormat?
    private var converter = RateConverter(from: 1, to: 1)
    /// Frames at its own rate with the channels of what it is mixed into; from `position` on they are to come.
    private var decoded: [Float] = []
    /// The next frame to be given, counted in those.
    private var position = 0.0
    private var isDecoded = false
    /// True when all of it was converted.
    private var isConverted = false
    /// Frames that were converted and not added yet.
    private var ready: [Float] = []

    init(_ stage: Stage) { self.stage = stage }

    /// Converts so many frames in advance, so that adding them takes no time.
    func prepare(frames: Int, _ format: AudioFormat) {
        if format != self.format { begin(format) }
        let channels = format.channels
        let wanted = frames - ready.count / channels
        guard wanted > 0 else { return }
        let count = decode(for: wanted)
        ready.reserveCapacity(ready.count + count * channels)
        for _ in 0..<count {
            for channel in 0..<channels {
                ready.append(converter.value(of: decoded, at: position, channel, of: channels))
            }
            position += converter.step
        }
        dropGiven(channels)
    }

    /// Adds it to frames after these were turned down; returns how many, fewer than there are at its end.
    func add(
        to samples: UnsafeMutableBufferPointer<Float>, beneath item: inout Fader, _ format: AudioFormat
    ) -> Int {
        let channels = format.channels
        prepare(frames: samples.count / channels, format)
        let count = min(samples.count, ready.count)
        let part = unsafe UnsafeMutableBufferPointer(rebasing: samples[..<count])
        unsafe item.apply(to: part, channels: channels)
        for index in 0..<count { unsafe part[index] += ready[index] }
        ready.removeFirst(count)
        isOver = isConverted && ready.isEmpty
        return count / channels
    }

    /// The item beneath it has another form from here on.
    private func begin(_ format: AudioFormat) {
        self.format = format
        ready = []
        converter = RateConverter(from: stage.format.sampleRate, to: format.sampleRate)
        decoded = [Float](repeating: 0, count: converter.reach * format.channels)
        position = Double(converter.reach)
    }

    // MARK: Decoding

    /// Makes sure that so many frames can be given; returns how many can, fewer at the end.
    private func decode(for frames: Int) -> Int {
        guard let channels = format?.channels else { return 0 }
        let needed = Int(position + Double(frames) * converter.step) + converter.reach + 1
        while decoded.count / channels < needed, !isDecoded {
            if !decodeChunk(channels) { break }
        }
        let missing = needed - decoded.count / channels
        guard missing > 0 else { return frames }
        if !isDecoded {
            // Its bytes are late: silence, and then it goes on.
            decoded += [Float](repeating: 0, count: missing * channels)
            return frames
        }
        let end = Double(decoded.count / channels - converter.reach)
        let left = max(0, Int((end - position) / converter.step))
        isConverted = left <= frames
        return min(left, frames)
    }

    /// Decodes some more; false when there is nothing now.
    private func decodeChunk(_ channels: Int) -> Bool {
        let own = stage.format.channels
        var chunk = [Float](repeating: 0, count: Self.chunkFrames * own)
        let outcome = unsafe chunk.withUnsafeMutableBufferPointer {
            unsafe try? stage.decoder?.decode(into: $0)
        }
        switch outcome {
        case .frames(let count):
            stage.advance(frames: count)
            unsafe chunk.withUnsafeMutableBufferPointer { buffer in
                unsafe stage.fader.apply(
                    to: UnsafeMutableBufferPointer(rebasing: buffer[..<(count * own)]), channels: own)
            }
            append(chunk, frames: count, channels: own, as: channels)
        case .formatChanged(let format):
            stage.change(to: format)
            if let target = self.format { begin(target) }
        case .jumped(let seconds): stage.jump(toSeconds: seconds)
        case .metadata: break
        case .interrupted:
            // A decoder goes on after that only by a seek.
            try? stage.seek(toSeconds: stage.seconds)
            return false
        case .end, nil:
            isDecoded = true
            decoded += [Float](repeating: 0, count: converter.reach * channels)
        }
        return true
    }

    /// One channel is heard on all; several on one together.
    private func append(_ chunk: [Float], frames: Int, channels own: Int, as channels: Int) {
        decoded.reserveCapacity(decoded.count + frames * channels)
        for frame in 0..<frames {
            let first = frame &* own
            if channels == 1 {
                decoded.append(chunk[first..<first &+ own].reduce(0, +) / Float(own))
                continue
            }
            for channel in 0..<channels {
                let isHeard = channel < 2 || channel < own
                decoded.append(isHeard ? chunk[first &+ min(channel, own &- 1)] : 0)
            }
        }
    }

    private func dropGiven(_ channels: Int) {
        let given = max(0, Int(position) - converter.reach)
        decoded.removeFirst(given * channels)
        position -= Double(given)
    }
}
