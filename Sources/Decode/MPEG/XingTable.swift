/// The table of a Xing header: in which 256th of the bytes each hundredth of the time begins.
///
/// It is coarse; between its places the way is taken as even.
struct XingTable: Equatable {
    private static let places = 100

    private let parts: [UInt8]
    /// Frames in all.
    let frames: Int

    /// Takes the bytes of the table; nil for one that cannot be, or that says nothing.
    init?(_ bytes: some Collection<UInt8>, frames: Int) {
        guard bytes.count == Self.places, frames > 0, zip(bytes, bytes.dropFirst()).allSatisfy({ $0 <= $1 }),
            bytes.first != bytes.dropFirst(Self.places - 1).first
        else { return nil }
        parts = Array(bytes)
        self.frames = frames
    }

    /// Where a frame begins, as far as that can be told; `bytes` is the size of the sound.
    func offset(of frame: Int, first: Int64, bytes: Int64) -> Int64 {
        first + Int64(share(of: min(max(0, frame), frames)) * Double(bytes))
    }

    /// The share of the bytes that lies before a frame.
    private func share(of frame: Int) -> Double {
        let place = Double(frame) / Double(frames) * Double(Self.places)
        let index = min(Int(place), Self.places - 1)
        let from = value(index)
        return (from + (place - Double(index)) * (value(index + 1) - from)) / 256
    }

    /// What was cut off when it was made a whole number is half of one on average.
    private func value(_ index: Int) -> Double {
        index == 0 ? 0 : index < Self.places ? Double(parts[index]) + 0.5 : 256
    }
}
