/// The header or footer of an APEv1 or APEv2 tag: 32 bytes, little-endian.
/// Source: https://wiki.hydrogenaud.io/index.php?title=APEv2_specification
struct APETag {
    static let headerBytes = 32
    /// Larger tags are left alone.
    private static let largest = 16 << 20
    private static let signature: [UInt8] = Array("APETAGEX".utf8)

    /// Bytes of the items and the footer.
    let bytesAfterHeader: Int
    let items: Int
    /// True for the block before the items.
    let isHeader: Bool
    /// True when a footer's tag has a header, too.
    let hasHeader: Bool

    private init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerBytes, unsafe Self.matches(bytes, at: 0, count: 8) else { return nil }
        func number(_ at: Int) -> Int {
            unsafe Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        }
        guard number(8) == 2000 || number(8) == 1000, unsafe bytes[24..<32].allSatisfy({ $0 == 0 }) else {
            return nil
        }
        bytesAfterHeader = number(12)
        items = number(16)
        isHeader = number(20) & 1 << 29 != 0
        hasHeader = number(20) & 1 << 31 != 0
        guard bytesAfterHeader >= Self.headerBytes, bytesAfterHeader <= Self.largest else { return nil }
    }

    /// Reads a header; nil when the bytes do not begin with one.
    init?(header bytes: UnsafeRawBufferPointer) {
        unsafe self.init(bytes)
        if !isHeader { return nil }
    }

    /// Reads a footer; nil when the bytes do not begin with one.
    init?(footer bytes: UnsafeRawBufferPointer) {
        unsafe self.init(bytes)
        if isHeader { return nil }
    }

    /// True when a header could go on from these few bytes.
    static func couldBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe matches(bytes, at: 0, count: min(bytes.count, signature.count))
    }

    /// The first place where a header begins or, cut off by the end, could begin.
    static func firstPossibleHeader(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            // A window of eight whose last byte is not in the signature holds no part of it.
            if index + 8 <= bytes.count, unsafe !signature.contains(bytes[index + 7]) {
                index += 8
                continue
            }
            if unsafe matches(bytes, at: index, count: min(8, bytes.count - index)) { return index }
            index += 1
        }
        return nil
    }

    private static func matches(_ bytes: UnsafeRawBufferPointer, at start: Int, count: Int) -> Bool {
        for index in 0..<count where unsafe bytes[start + index] != signature[index] { return false }
        return true
    }
}
