import Base

/// A way through an item by short pieces that can be heard, each a little further on than the last.
struct Scan {
    /// A piece lasts so long, in seconds.
    private static let pieceSeconds = 0.2
    /// From the start of a piece to that of the next, in seconds: ten times as fast as it is played.
    private static let hopSeconds = 2.0
    /// A piece fades in and out over so long, in seconds.
    private static let edgeSeconds = 0.005

    let direction: ScanDirection
    private let pieceFrames: Int
    private let edgeFrames: Int
    /// Where the piece begins, in seconds.
    private(set) var start: Double
    private var done = 0

    /// Begins at a place of an item, in seconds.
    init(_ direction: ScanDirection, from seconds: Double, _ format: AudioFormat) {
        self.direction = direction
        start = seconds
        pieceFrames = format.frames(inSeconds: Self.pieceSeconds)
        edgeFrames = max(1, format.frames(inSeconds: Self.edgeSeconds))
    }

    /// Frames that are still to come of the piece.
    var framesLeft: Int { max(0, pieceFrames - done) }

    /// Where the next piece begins, in seconds.
    var next: Double { start + (direction == .forward ? Self.hopSeconds : -Self.hopSeconds) }

    /// Begins the next piece.
    mutating func begin(at seconds: Double) {
        start = seconds
        done = 0
    }

    /// Fades the edges of the piece that these samples go on with.
    mutating func shape(_ samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
        for frame in 0..<samples.count / channels {
            let edge = min(done &+ frame, pieceFrames &- done &- frame, edgeFrames)
            let factor = Float(max(0, edge)) / Float(edgeFrames)
            if factor == 1 { continue }
            for index in frame &* channels..<(frame &+ 1) &* channels { unsafe samples[index] *= factor }
        }
        done += samples.count / channels
    }
}
