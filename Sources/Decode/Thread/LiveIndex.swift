/// Where the seconds of a live stream lie: offsets of frames, about two for each second.
///
/// Grows at its end only, so that a place keeps its time for as long as it is held.
package struct LiveIndex: Equatable {
    package struct Point: Equatable {
        /// The first byte of a frame.
        package let offset: Int64
        /// The time of its first sample.
        package let seconds: Double
    }

    /// The least distance of two points, in seconds.
    static let spacing = 0.5
    /// Two hours; older points go first.
    private static let mostPoints = 14_400

    package private(set) var points: [Point] = []

    package init() {}

    package var last: Point? { points.last }

    /// Notes a frame, if it lies beyond all that is known.
    package mutating func note(offset: Int64, seconds: Double) {
        if let last, offset <= last.offset || seconds < last.seconds + Self.spacing { return }
        if points.count >= Self.mostPoints { points.removeFirst(Self.mostPoints / 8) }
        points.append(Point(offset: offset, seconds: seconds))
    }

    /// The last point at or before that time whose bytes are held, else the first that is; nil without any.
    func point(at seconds: Double, heldFrom oldest: Int64) -> Point? {
        let first = points.partition { $0.offset >= oldest }
        guard first < points.count else { return nil }
        let beyond = points.partition { $0.seconds > seconds }
        return points[max(first, beyond - 1)]
    }

    /// The time of a byte, between points and beyond them by the bytes a second around there; `fallback` is what
    /// those are taken for while there is one point only.
    package func seconds(at offset: Int64, fallback: Double = 16_000) -> Double {
        guard let first = points.first, let last = points.last else { return 0 }
        guard points.count > 1 else {
            return max(0, first.seconds + Double(offset - first.offset) / max(1, fallback))
        }
        let after = min(max(1, points.partition { $0.offset > offset }), points.count - 1)
        let (a, b) = (points[after - 1], points[after])
        // Beyond the end the mean of the last minute holds, or of all there is.
        let from = offset > last.offset ? points[max(0, points.count - 120)] : a
        let slope = (b.seconds - from.seconds) / Double(max(1, b.offset - from.offset))
        let base = offset > last.offset ? b : a
        return max(0, base.seconds + Double(offset - base.offset) * slope)
    }
}

extension Array {
    /// The index of the first element that satisfies the condition, where all after it do, too.
    fileprivate func partition(_ belongsBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
