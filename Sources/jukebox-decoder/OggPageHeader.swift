/// The header of a page of Ogg. Source: RFC 3533, section 6
struct OggPageHeader {
    /// Without its segments.
    static let byteCount = 27

    let isContinued: Bool
    let isFirst: Bool
    /// The place of the last sample that is complete on the page; nil when none is.
    let granule: Int64?
    let serial: UInt32

    /// Reads the header at an index; nil where there is none.
    init?(_ bytes: [UInt8], at index: Int = 0) {
        guard index >= 0, index + Self.byteCount <= bytes.count,
            bytes[index..<index + 4].elementsEqual("OggS".utf8), bytes[index + 4] == 0, bytes[index + 5] < 8
        else { return nil }
        func number(_ start: Int, _ count: Int) -> UInt64 {
            bytes[index + start..<index + start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        isContinued = bytes[index + 5] & 1 != 0
        isFirst = bytes[index + 5] & 2 != 0
        let place = Int64(bitPattern: number(6, 8))
        granule = place >= 0 ? place : nil
        serial = UInt32(number(14, 4))
    }

    /// The first header in bytes from an index on, and where it begins.
    static func first(in bytes: [UInt8], from start: Int = 0) -> (header: OggPageHeader, index: Int)? {
        var index = start
        while index + byteCount <= bytes.count {
            if bytes[index] == UInt8(ascii: "O"), let header = OggPageHeader(bytes, at: index) {
                return (header, index)
            }
            index += 1
        }
        return nil
    }
}
