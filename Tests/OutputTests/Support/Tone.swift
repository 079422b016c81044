import Base
import Glibc

/// A tone whose waves never meet a period, so that a cut in it shows.
enum Tone {
    /// Produces frames at half of full scale, as far as there is room.
    static func produce(_ producer: inout RingProducer, frames wanted: Int) {
        var rest = wanted
        while rest > 0 {
            let room = unsafe producer.contiguousRoom(ahead: .max)
            let channels = producer.ring.format.channels
            let frames = min(rest, room.count / channels)
            if frames == 0 { return }
            for index in 0..<frames * channels {
                unsafe room[index] = 0.5 * sinf(Float(producer.produced + index / channels) * 0.0713)
            }
            producer.commit(frames: frames)
            rest -= frames
        }
    }
}
