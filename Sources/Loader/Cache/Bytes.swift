/// Puts numbers and texts into bytes, little-endian.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Adds bytes after their number; at most 65,535 of them.
    mutating func add(bytes part: [UInt8]) {
        let part = part.prefix(65_535)
        add(UInt16(part.count))
        bytes += part
    }

    /// Adds a text after its number of bytes, cut at 16 KiB.
    mutating func add(text: String) { add(bytes: Array(text.utf8.prefix(16_384))) }
}

/// Takes them out again; nil where the bytes end too early.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        var number: Number = 0
        unsafe withUnsafeMutableBytes(of: &number) { unsafe $0.copyBytes(from: rest.prefix(size)) }
        rest = rest.dropFirst(size)
        return Number(littleEndian: number)
    }

    mutating func bytes() -> [UInt8]? {
        guard let count: UInt16 = number(), rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
}
