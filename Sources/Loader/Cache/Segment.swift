/// Bytes of a resource that lie on disk and are verified as a whole when they are read.
struct Segment: Equatable, Sendable {
    let start: Int64
    let count: Int32
    /// XXH3 of the bytes.
    let checksum: UInt64

    var end: Int64 { start + Int64(count) }
}

/// The segments of a resource, in order, without overlap.
struct SegmentList: Equatable, Sendable {
    private(set) var all: [Segment] = []
    /// Bytes in all.
    private(set) var bytes: Int64 = 0

    init() {}

    /// Makes room for that many, so that a long file does not pay for doubling.
    mutating func reserve(_ count: Int) { all.reserveCapacity(count) }

    /// The index of the first segment that ends after an offset; O(log n).
    private func index(after offset: Int64) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].end > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The segment that holds an offset; nil when none does.
    func segment(at offset: Int64) -> Segment? {
        let index = index(after: offset)
        guard index < all.count, all[index].start <= offset else { return nil }
        return all[index]
    }

    /// Adds a segment; false when it is empty or overlaps another.
    @discardableResult
    mutating func insert(_ segment: Segment) -> Bool {
        guard segment.start >= 0, segment.count > 0, segment.start <= Int64.max - Int64(segment.count) else {
            return false
        }
        let index = index(after: segment.start)
        if index < all.count, all[index].start < segment.end { return false }
        all.insert(segment, at: index)
        bytes += Int64(segment.count)
        return true
    }

    /// Removes the segment that begins there.
    @discardableResult
    mutating func remove(startingAt start: Int64) -> Bool {
        let index = index(after: start)
        guard index < all.count, all[index].start == start else { return false }
        bytes -= Int64(all[index].count)
        all.remove(at: index)
        return true
    }

    /// The offsets that are held, in order, touching ones as one.
    var ranges: [Range<Int64>] { all.reduce(into: RangeJoiner()) { $0.add($1.start..<$1.end) }.ranges }

    /// The end of what is held without a gap from an offset on; the offset itself when nothing is.
    func end(from offset: Int64) -> Int64 {
        var index = index(after: offset)
        var end = offset
        while index < all.count, all[index].start <= end {
            end = all[index].end
            index += 1
        }
        return end
    }

    /// Where the next segment at or after an offset begins; nil when none does.
    func start(from offset: Int64) -> Int64? {
        let index = index(after: offset)
        return index < all.count ? max(offset, all[index].start) : nil
    }
}

/// Joins ranges that come in order of their starts.
struct RangeJoiner {
    private(set) var ranges: [Range<Int64>] = []

    /// Adds a range that does not begin before the last one.
    mutating func add(_ range: Range<Int64>) {
        guard let last = ranges.last, last.upperBound >= range.lowerBound else { return ranges.append(range) }
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
}
