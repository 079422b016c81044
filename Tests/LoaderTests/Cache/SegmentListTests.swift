import Support
import Testing

@testable import Loader

@Suite struct SegmentListTests {
    /// A segment whose checksum is of no matter.
    private func segment(_ start: Int64, _ count: Int32) -> Segment {
        Segment(start: start, count: count, checksum: 0)
    }

    @Test func whatOverlapsOrIsEmptyIsRefused() {
        var list = SegmentList()
        let rows: [(Int64, Int32, Bool)] = [
            (10, 10, true), (10, 10, false), (5, 6, false), (19, 1, false), (12, 2, false), (0, 100, false),
            (30, 0, false), (-5, 2, false), (.max - 1, 10, false), (30, -4, false), (20, 5, true),
            (0, 10, true),
        ]
        for (start, count, isTaken) in rows {
            let wasTaken = list.insert(segment(start, count))
            #expect(wasTaken == isTaken, "\(start), \(count)")
        }
        #expect(list.ranges == [0..<25] && list.bytes == 25)
    }

    /// Against a set of bytes, one by one.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func itDoesWhatASetOfBytesDoes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = SegmentList()
        var held = Set<Int64>()
        for _ in 0..<200 {
            let start = Int64.random(in: 0..<300, using: &generator)
            let count = Int32.random(in: 1...20, using: &generator)
            let bytes = Set(start..<start + Int64(count))
            if Bool.random(using: &generator) {
                let isNew = held.isDisjoint(with: bytes)
                let wasTaken = list.insert(segment(start, count))
                #expect(wasTaken == isNew)
                if isNew { held.formUnion(bytes) }
            } else if let found = list.segment(at: start) {
                #expect(held.contains(start))
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    list.remove(startingAt: found.start)
                    held.subtract(found.start..<found.end)
                }
            } else {
                #expect(!held.contains(start))
            }
            #expect(list.bytes == Int64(held.count))
            var end = start
            while held.contains(end) { end += 1 }
            #expect(list.end(from: start) == end)
            #expect(list.start(from: start) == held.filter { $0 >= start }.min())
        }
        #expect(list.ranges.flatMap { Array($0) } == held.sorted())
    }
}
