/// Follows the pages of an Ogg stream as its bytes go by, and finds where another stream is chained to it.
///
/// Source: RFC 3533, section 6
struct OggPages {
    private static let headerBytes = 27
    /// More is no head of a stream.
    private static let mostHeadBytes = 256 << 10

    /// Where the next page begins; beyond all when the bytes are no Ogg.
    private(set) var next: Int64
    /// What was seen of that page's header.
    private var header: [UInt8] = []
    /// True once a page came that does not begin a stream.
    private var hasBegun: Bool
    private var isHead: Bool
    /// The pages before the first with sound: what is needed to begin further on.
    private(set) var head: [UInt8] = []

    /// Begins at an offset: of a stream's first page, or of any other.
    init(at offset: Int64, isStart: Bool) {
        next = offset
        hasBegun = !isStart
        isHead = isStart
    }

    /// Takes the bytes that follow; returns where in them another stream begins, or shortly before them.
    mutating func follow(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int64? {
        var taken = 0
        defer { if isHead { unsafe keep(bytes, from: &taken, to: bytes.count) } }
        while true {
            let index = next &+ Int64(header.count) &- offset
            guard index >= 0, index < Int64(bytes.count) else { return nil }
            let wanted =
                header.count < Self.headerBytes ? Self.headerBytes : Self.headerBytes + Int(header[26])
            let end = min(bytes.count, Int(index) + wanted - header.count)
            unsafe header.append(contentsOf: bytes[Int(index)..<end])
            guard header.count == wanted else { return nil }
            if wanted == Self.headerBytes, header[26] > 0 { continue }
            guard header.starts(with: "OggS".utf8) else {
                next = .max / 2
                isHead = false
                return nil
            }
            let isFirst = header[5] & 2 != 0
            if isFirst, hasBegun { return next }
            hasBegun = hasBegun || !isFirst
            if isHead, header[6..<14].contains(where: { $0 != 0 }) {
                unsafe keep(bytes, from: &taken, to: max(0, Int(next &- offset)))
                isHead = false
            }
            next &+= Int64(wanted + header[27...].reduce(0) { $0 + Int($1) })
            header = []
        }
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer, from taken: inout Int, to end: Int) {
        guard head.count + end <= Self.mostHeadBytes else {
            isHead = false
            head = []
            return
        }
        unsafe head.append(contentsOf: bytes[min(taken, end)..<end])
        taken = end
    }
}
