import Base

/// Which item is heard at which frame: turns an output's clock into positions of items.
///
/// A position holds from its frame on until the next; rings are told apart by their numbers.
struct HeardLine {
    struct Segment: Equatable {
        let token: Int
        let ring: Int
        let frame: Int
        let seconds: Double
    }

    private var formats: [(ring: Int, format: AudioFormat)] = []
    /// What is heard, as of the last position that was.
    private(set) var segment: Segment?
    private(set) var isRunning = false

    /// Notes a ring's format; the last few rings are remembered.
    mutating func add(_ ring: SampleRing) {
        formats.append((ring.id, ring.format))
        if formats.count > 8 { formats.removeFirst() }
    }

    /// The format of a ring; nil when it is forgotten.
    func format(ofRing ring: Int) -> AudioFormat? { formats.last { $0.ring == ring }?.format }

    /// A position is heard.
    mutating func begin(_ segment: Segment) { self.segment = segment }

    /// The clock runs or stands.
    mutating func setRunning(_ running: Bool) { isRunning = running }

    /// Nothing is heard any more.
    mutating func clear() {
        segment = nil
        isRunning = false
    }

    /// The token and the seconds of its item at a frame; nil when that frame is none of the item's.
    func position(ring: Int, frame: Int) -> (token: Int, seconds: Double)? {
        guard let segment, segment.ring == ring, frame >= segment.frame,
            let rate = format(ofRing: ring)?.sampleRate
        else { return nil }
        return (segment.token, segment.seconds + Double(frame - segment.frame) / Double(rate))
    }
}
