package import Base

/// A resource whose sound lies in several streams one after another, of which each begins anew: HLS.
///
/// `part` and `nextPart` are called by the decode thread, the rest by any.
package protocol SegmentedSource: ByteSource {
    /// Of the whole, in seconds; nil for a live one, and until it is known.
    var duration: Double? { get }
    /// What is here and was not read, in seconds.
    var secondsAhead: Double { get }
    /// True when no more is loaded until some of it was read.
    var isFull: Bool { get }

    /// Goes to the last place that lies at or before a time and can be decoded from; nothing else is loaded then.
    func part(at seconds: Double) -> SoundPart

    /// What follows the part that was given last, once that has ended; nil when nothing does.
    func nextPart() -> SoundPart?
}

/// One stream of a resource of several; its offsets begin at 0.
package struct SoundPart: Sendable {
    package let source: any ByteSource
    /// Its place in the whole.
    package let seconds: Double
    /// True when something before it is missing.
    package let isAfterGap: Bool

    package init(source: any ByteSource, seconds: Double, isAfterGap: Bool = false) {
        self.source = source
        self.seconds = seconds
        self.isAfterGap = isAfterGap
    }
}
