import Base
import Glibc

/// The item that goes out while the current one comes in, and how far that has come. Decode thread.
@safe final class Crossfade {
    let outgoing: Stage
    /// Frames that it takes in all.
    let frames: Int
    private(set) var done = 0
    private var isOutgoingOver = false
    // Safe because only this object uses it, within its lifetime.
    private let scratch: UnsafeMutableBufferPointer<Float>

    /// Begins; the scratch memory holds a chunk of at most half a second.
    init(_ outgoing: Stage, frames: Int) {
        self.outgoing = outgoing
        self.frames = max(2, frames)
        let format = outgoing.format
        unsafe scratch = .allocate(capacity: max(1, format.sampleRate / 2) * format.channels)
    }

    deinit { unsafe scratch.deallocate() }

    /// Where the item that comes in becomes the louder one: from there on it is the one that is heard.
    var middle: Int { frames / 2 }

    /// Frames to the middle, or from there to the end.
    var framesToNextPlace: Int { (done < middle ? middle : frames) - done }

    /// Mixes the next frames of the outgoing item into those of the other one.
    func mix(into samples: UnsafeMutableBufferPointer<Float>) {
        let channels = outgoing.format.channels
        let count = samples.count / channels
        fill(frames: count)
        for frame in 0..<count {
            let shares = Self.shares(done &+ frame, of: frames)
            for index in frame &* channels..<(frame &+ 1) &* channels {
                unsafe samples[index] = samples[index] * shares.incoming + scratch[index] * shares.outgoing
            }
        }
        done += count
    }

    /// Equal power: together as loud as each alone.
    private static func shares(_ frame: Int, of frames: Int) -> (outgoing: Float, incoming: Float) {
        let angle = Float.pi / 2 * min(1, Float(frame) / Float(frames))
        return (cosf(angle), sinf(angle))
    }

    /// Decodes into the scratch memory; silence once the item is over, or not to be had.
    private func fill(frames: Int) {
        let channels = outgoing.format.channels
        var filled = 0
        while filled < frames, !isOutgoingOver {
            let room = unsafe UnsafeMutableBufferPointer(
                rebasing: scratch[filled * channels..<frames * channels])
            guard case .frames(let count)? = unsafe try? outgoing.decoder?.decode(into: room) else {
                isOutgoingOver = true
                break
            }
            let part = unsafe UnsafeMutableBufferPointer(rebasing: room[..<(count * channels)])
            unsafe outgoing.meter?.add(UnsafeBufferPointer(part))
            unsafe outgoing.fader.apply(to: part, channels: channels)
            outgoing.advance(frames: count)
            filled += count
        }
        for index in filled * channels..<frames * channels { unsafe scratch[index] = 0 }
    }
}
