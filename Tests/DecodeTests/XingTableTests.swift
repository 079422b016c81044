import Testing

@testable import Decode

@Suite struct XingTableTests {
    /// Twice as many bytes a second in the second half as in the first.
    private static let louder: [UInt8] = (0..<100).map { (place: Int) -> UInt8 in
        UInt8(place < 50 ? place * 85 / 50 : 85 + (place - 50) * 171 / 50)
    }

    @Test func placesBetweenItsOwnLieBetween() throws {
        let table = try #require(XingTable(Self.louder, frames: 10_000))
        let offsets = (0...1000).map { table.offset(of: 10 * $0, first: 1000, bytes: 2_560_000) }
        #expect(offsets[0] == 1000 && offsets[1000] == 2_561_000)
        #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
        // To a part of a hundredth, where the table itself is right to a 256th.
        for (place, share) in [(100, 0.0664), (250, 0.166), (500, 0.332), (750, 0.666), (999, 0.9987)] {
            let expected = 1000 + share * 2_560_000
            #expect(abs(Double(offsets[place]) - expected) < 2_560_000 / 256, "\(place)")
        }
    }

    @Test(arguments: [
        // Too short, going back, nothing but zeros, of no frames.
        (bytes: Array(louder.dropLast()), frames: 1000), (bytes: Array(louder.reversed()), frames: 1000),
        (bytes: [UInt8](repeating: 0, count: 100), frames: 1000), (bytes: louder, frames: 0),
    ])
    func aTableThatCannotBeIsNone(bytes: [UInt8], frames: Int) {
        #expect(XingTable(bytes, frames: frames) == nil)
    }
}
