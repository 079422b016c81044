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

    private var sampleRates: [(ring: Int, rate: Int)] = []
    /// What is heard, as of the last position that was.
    private(set) var segment: Segment?
    private(set) var isRunning = false

    /// Notes a ring's rate; the last few rings are remembered.
    mutating func add(ring: Int, sampleRate: Int) {
        sampleRates.append((ring, sampleRate))
        if sampleRates.count > 8 { sampleRates.removeFirst() }
    }

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
            let rate = sampleRates.last(where: { $0.ring == ring })?.rate
        else { return nil }
        return (segment.token, segment.seconds + Double(frame - segment.frame) / Double(rate))
    }
}
