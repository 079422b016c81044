import DecoderLink

/// Finds the links of a chained file of Ogg: streams one after another, each with serial numbers of its own.
struct OggLinks {
    /// More than a page.
    private static let pieceBytes = SharedMemory.inputBytes
    /// What more there are belongs to the last one.
    private static let mostLinks = 64

    private let link: DaemonLink
    private let length: Int

    /// The ranges of the links; one for what is no Ogg, or not chained.
    static func find(_ link: DaemonLink, length: Int) throws(Stop) -> [Range<Int>] {
        let links = OggLinks(link: link, length: length)
        var ranges: [Range<Int>] = []
        var start = 0
        while ranges.count < mostLinks - 1, let end = try links.end(from: start) {
            ranges.append(start..<end)
            start = end
        }
        return ranges + [start..<length]
    }

    /// Where the link ends that begins at an offset; nil when it is the last one.
    private func end(from start: Int) throws(Stop) -> Int? {
        let head = try bytes(at: start)
        guard OggPageHeader(head) != nil else { return nil }
        let own = Self.serials(head)
        let tail = max(start, length - Self.pieceBytes)
        guard let last = try Self.last(bytes(at: tail)), !own.contains(last.serial) else { return nil }
        var (low, high) = (start, length)
        // The first page of another link lies behind `low`, and not behind `high`.
        while high - low > Self.pieceBytes {
            let middle = low + (high - low) / 2
            guard let (header, index) = try OggPageHeader.first(in: bytes(at: middle)) else { return nil }
            if own.contains(header.serial) { low = max(middle + index, low + 1) } else { high = middle }
        }
        // What was told by `high` begins at it or in the piece behind it.
        var place = low
        while place < min(length, high + Self.pieceBytes) {
            let piece = try bytes(at: place)
            var index = 0
            while let (header, found) = OggPageHeader.first(in: piece, from: index) {
                if header.isFirst, !own.contains(header.serial) { return place + found }
                index = found + 1
            }
            place += max(1, piece.count - OggPageHeader.byteCount)
        }
        return nil
    }

    /// Of the pages that begin the streams of a link.
    private static func serials(_ bytes: [UInt8]) -> Set<UInt32> {
        var serials: Set<UInt32> = []
        var index = 0
        while let (header, found) = OggPageHeader.first(in: bytes, from: index), header.isFirst {
            serials.insert(header.serial)
            index = found + 1
        }
        return serials
    }

    private static func last(_ bytes: [UInt8]) -> OggPageHeader? {
        var index = bytes.count - OggPageHeader.byteCount
        while index >= 0 {
            if bytes[index] == UInt8(ascii: "O"), let header = OggPageHeader(bytes, at: index) {
                return header
            }
            index -= 1
        }
        return nil
    }

    private func bytes(at offset: Int) throws(Stop) -> [UInt8] {
        try link.bytes(at: Int64(offset), count: min(Self.pieceBytes, length - offset))
    }
}
