import Base

/// Finds the times of frames by their headers alone, in what a live source holds.
struct MPEGWalker {
    private static let windowBytes = 64 << 10

    private let reader: SourceReader
    private var window: [UInt8] = []
    private var windowStart: Int64
    /// The next frame, and its time.
    private(set) var offset: Int64
    private(set) var seconds: Double

    init(_ reader: SourceReader, from point: LiveIndex.Point) {
        self.reader = reader
        offset = point.offset
        windowStart = point.offset
        seconds = point.seconds
    }

    /// Walks to a time, or to the last whole frame that is here; notes what it meets.
    mutating func walk(to target: Double, _ index: inout LiveIndex) {
        while seconds < target {
            guard let header = frame() ?? resynchronised() else { return }
            index.note(offset: offset, seconds: seconds)
            offset &+= Int64(header.bytes)
            seconds += Double(header.samples) / Double(header.sampleRate)
        }
    }

    /// The header here, when all of its frame is.
    private mutating func frame() -> MPEGFrameHeader? {
        guard holds(4), let header = MPEGFrameHeader(window, at: Int(offset - windowStart)), header.bytes > 4,
            holds(header.bytes)
        else { return nil }
        return header
    }

    /// The next frame after what is none: the cut end of a connection, a tag.
    private mutating func resynchronised() -> MPEGFrameHeader? {
        while holds(ContentProbe.leastBytes) {
            let rest = Array(window[Int(offset - windowStart)...])
            if let distance = ContentProbe.firstFrame(in: rest, isComplete: false) {
                offset &+= Int64(distance)
                if let header = frame() { return header }
                offset &+= 1
            } else {
                offset &+= Int64(rest.count - ContentProbe.leastBytes / 2)
            }
        }
        return nil
    }

    /// True when so many bytes from here on are in the window now.
    private mutating func holds(_ bytes: Int) -> Bool {
        if offset - windowStart + Int64(bytes) <= Int64(window.count) { return true }
        window = reader.glance(at: offset, count: Self.windowBytes)
        windowStart = offset
        return window.count >= bytes
    }
}
