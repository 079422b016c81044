import Base

/// Frames that carry their own index, so that a capture shows each one lost or doubled.
enum Ramp {
    /// Values repeat after so many frames; each is a whole number of 16-bit steps.
    static let period = 30_000

    /// The 16-bit value of a frame on a channel.
    static func value(_ frame: Int, channel: Int) -> Int {
        let value = frame % period - period / 2
        return channel == 0 ? value : -value
    }

    /// Where captured frame numbers are not 0, 1, 2 … up to `count`; in words, the first ten.
    static func breaks(_ frames: [Int], count: Int) -> [String] {
        var expected = 0
        var breaks: [String] = []
        for frame in frames {
            if frame != expected { breaks.append("\(frame) instead of \(expected)") }
            expected = frame + 1
        }
        if expected != count { breaks.append("ends at \(expected)") }
        return Array(breaks.prefix(10))
    }

    /// Produces frames as far as there is room; returns how many.
    @discardableResult
    static func produce(_ producer: inout RingProducer, frames wanted: Int, ahead: Int = .max) -> Int {
        var made = 0
        let channels = producer.ring.format.channels
        while made < wanted {
            let room = unsafe producer.contiguousRoom(ahead: ahead)
            let frames = min(wanted - made, room.count / channels)
            if frames == 0 { break }
            for index in 0..<frames {
                for channel in 0..<channels {
                    let value = Float(Ramp.value(producer.produced + index, channel: channel)) / 32768
                    unsafe room[index * channels + channel] = value
                }
            }
            producer.commit(frames: frames)
            made += frames
        }
        return made
    }
}
