import Glibc

/// Gives values between the frames of a sound: a windowed sinc, short, as good as speech and bells need.
struct RateConverter {
    private static let points = 32
    private static let phases = 128

    /// Frames of the source for each frame that is asked for.
    let step: Double
    /// Frames before and after a place that its value depends on; 0 where the rates are the same.
    let reach: Int
    /// The weights for each phase between two frames, and those for the next frame.
    private let weights: [Float]

    /// Converts from a rate to another, in Hz.
    init(from source: Int, to target: Int) {
        step = Double(source) / Double(target)
        reach = source == target ? 0 : Self.points / 2
        weights = source == target ? [] : Self.weights(cutoff: min(1, 1 / step))
    }

    /// The value at a place between frames, of one of interleaved channels.
    func value(of frames: [Float], at position: Double, _ channel: Int, of channels: Int) -> Float {
        let whole = Int(position)
        if reach == 0 { return frames[whole &* channels &+ channel] }
        let phase = Int((position - Double(whole)) * Double(Self.phases) + 0.5) &* Self.points
        var sum: Float = 0
        var index = (whole &- reach &+ 1) &* channels &+ channel
        for point in 0..<Self.points {
            sum += frames[index] * weights[phase &+ point]
            index &+= channels
        }
        return sum
    }

    /// Each phase's weights add up to 1, so that no tone comes of what does not change.
    private static func weights(cutoff: Double) -> [Float] {
        var all: [Float] = []
        for phase in 0...phases {
            let place = Double(phase) / Double(phases) + Double(points / 2 - 1)
            let row = (0..<points).map { point in
                let distance = Double(point) - place
                let angle = Double.pi * cutoff * distance
                let sinc = distance == 0 ? 1 : sin(angle) / angle
                return sinc * pow(cos(Double.pi * distance / Double(points + 2)), 2)
            }
            let sum = row.reduce(0, +)
            all += row.map { Float($0 / sum) }
        }
        return all
    }
}
