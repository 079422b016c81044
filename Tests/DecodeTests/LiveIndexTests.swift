import Testing

@testable import Decode

@Suite struct LiveIndexTests {
    /// A frame each 0.1 s and 1000 bytes: 100 s, 1 MB.
    private var index: LiveIndex {
        var index = LiveIndex()
        for frame in 0...1000 { index.note(offset: Int64(frame) * 1000, seconds: Double(frame) / 10) }
        return index
    }

    @Test func pointsLieHalfASecondApart() {
        #expect(index.points.count > 150 && index.points.count <= 201)
        #expect(index.points.first == LiveIndex.Point(offset: 0, seconds: 0))
    }

    @Test func whatIsKnownIsNotChanged() {
        var index = index
        let before = index
        index.note(offset: 50_000, seconds: 99)
        index.note(offset: 100_001, seconds: 3)
        #expect(index == before)
    }

    @Test(arguments: [
        (0.0, Int64(0), 0.0), (50.0, 0, 50.0), (50.3, 0, 50.3), (1e9, 0, 100), (10, 600_000, 60), (-5, 0, 0),
    ])
    func theLastPointBeforeATimeIsFound(seconds: Double, oldest: Int64, expected: Double) throws {
        let point = try #require(index.point(at: seconds, heldFrom: oldest))
        #expect(point.seconds <= max(expected, seconds) + 0.6 && point.seconds > expected - 0.61)
        #expect(point.offset >= oldest)
    }

    @Test func nothingHeldHasNoPoint() {
        #expect(index.point(at: 5, heldFrom: 1_000_001) == nil)
        #expect(LiveIndex().point(at: 5, heldFrom: 0) == nil)
        #expect(LiveIndex().seconds(at: 500) == 0)
    }

    @Test(arguments: [(Int64(0), 0.0), (50_000, 5), (55_500, 5.55), (1_000_000, 100), (2_000_000, 200)])
    func bytesHaveTheirTime(offset: Int64, seconds: Double) {
        #expect(abs(index.seconds(at: offset) - seconds) < 0.001 || offset < 1000)
        var one = LiveIndex()
        one.note(offset: 1000, seconds: 7)
        #expect(one.seconds(at: 17_000, fallback: 16_000) == 8)
    }
}
