import CCrypto

/// Undoes the AES-128-CBC of pieces of HLS (RFC 8216, section 4.3.2.4), a part at a time.
package struct BlockDecryption {
    private static let blockBytes = 16

    private let key: [UInt8]
    /// The cipher's block before the next one.
    private var vector: [UInt8]
    /// What is no whole block yet, or may be the last one.
    private var rest: [UInt8] = []

    /// Nil unless both have 16 bytes.
    package init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == Self.blockBytes, vector.count == Self.blockBytes else { return nil }
        self.key = key
        self.vector = vector
    }

    /// What can be told by these bytes and those before; nil when there is no library for it.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        rest += bytes
        // The last block is cut when no more come.
        let count = max(0, rest.count - 1) / Self.blockBytes * Self.blockBytes
        defer { rest.removeFirst(count) }
        return undone(Array(rest[..<count]))
    }

    /// What is left at the end, without what fills up the last block.
    package mutating func end() -> [UInt8]? {
        guard rest.count == Self.blockBytes, let last = undone(rest) else { return rest.isEmpty ? [] : nil }
        rest = []
        let filled = Int(last.last ?? 0)
        return (1...Self.blockBytes).contains(filled) ? Array(last.dropLast(filled)) : last
    }

    private mutating func undone(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.isEmpty { return [] }
        var result = [UInt8](repeating: 0, count: bytes.count)
        // Safe because the function writes as many bytes as it reads, which are whole blocks.
        let isDone = unsafe jb_aes128_cbc_undo(key, vector, bytes, Int32(clamping: bytes.count), &result)
        vector = Array(bytes.suffix(Self.blockBytes))
        return isDone == 1 ? result : nil
    }
}
