import Base

/// How much is decoded at a time: little at first, so that sound begins at once, then half a second.
///
/// A full ring is left alone until half of it was heard: two wake-ups a second in steady play.
struct Pace {
    private static let firstChunk = 2048

    private var chunkFrames = firstChunk
    private var isFilling = true
    private var untoldFrames = Int.max / 2

    /// True when there is something to produce.
    mutating func isReady(_ rings: RingChain) -> Bool {
        guard rings.hasReaders, let rate = rings.ring?.format.sampleRate else { return false }
        let room = rings.room
        if room <= 0 { isFilling = false }
        if room >= rate / 2 { isFilling = true }
        return isFilling
    }

    /// Frames in hand at which the ring is to be filled again.
    func lowPoint(_ rings: RingChain) -> Int { (rings.ring?.format.sampleRate ?? 0) / 2 }

    /// Frames to decode now.
    func chunk(_ format: AudioFormat) -> Int { max(1, min(chunkFrames, format.sampleRate / 2)) }

    /// Notes a chunk; true when it is worth telling: the first, one into a low ring, or after a second.
    mutating func produced(_ frames: Int, _ format: AudioFormat, wasLow: Bool) -> Bool {
        chunkFrames = min(chunkFrames * 2, format.sampleRate)
        untoldFrames += frames
        guard wasLow || untoldFrames >= format.sampleRate * 9 / 10 else { return false }
        untoldFrames = 0
        return true
    }
}
