/// SipHash-2-4 with 128 bits: a name for a secret that tells nothing of it to who does not have the key.
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, with its 128 bit output.
package struct KeyedHash: Sendable {
    /// Bytes of a key.
    package static let keyLength = 16

    private let key: (UInt64, UInt64)

    /// Takes a key; bytes beyond the 16th are left out, missing ones are 0.
    package init(key bytes: [UInt8]) {
        let padded = Array(bytes.prefix(16)) + [UInt8](repeating: 0, count: max(0, 16 - bytes.count))
        key = (Self.word(padded[..<8]), Self.word(padded[8...]))
    }

    /// The hash of a list of texts as 32 hexadecimal digits; other lists have others.
    package func name(of texts: [String]) -> String {
        var bytes: [UInt8] = []
        for text in texts {
            // With their lengths, or "ab", "c" would be the same as "a", "bc".
            let length = UInt64(text.utf8.count)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            bytes += text.utf8
        }
        return hash(bytes).map { Self.digits($0) }.joined()
    }

    /// Both halves of the hash of some bytes, the first first.
    func hash(_ bytes: [UInt8]) -> [UInt64] {
        var state = State(key)
        let whole = bytes.count & ~7
        for start in stride(from: 0, to: whole, by: 8) { state.take(Self.word(bytes[start..<start + 8])) }
        state.take(UInt64(truncatingIfNeeded: bytes.count) << 56 | Self.word(bytes[whole...]))
        state.v2 ^= 0xee
        for _ in 0..<4 { state.round() }
        let first = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        state.v1 ^= 0xdd
        for _ in 0..<4 { state.round() }
        return [first, state.v0 ^ state.v1 ^ state.v2 ^ state.v3]
    }

    private struct State {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736f_6d65_7073_6575
            v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
            v2 = key.0 ^ 0x6c79_6765_6e65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func round() {
            v0 = v0 &+ v1
            v1 = Self.turned(v1, 13) ^ v0
            v0 = Self.turned(v0, 32)
            v2 = v2 &+ v3
            v3 = Self.turned(v3, 16) ^ v2
            v0 = v0 &+ v3
            v3 = Self.turned(v3, 21) ^ v0
            v2 = v2 &+ v1
            v1 = Self.turned(v1, 17) ^ v2
            v2 = Self.turned(v2, 32)
        }

        private static func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 {
            word << bits | word >> (64 - bits)
        }
    }

    /// Up to eight bytes, the lowest first.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func digits(_ word: UInt64) -> String {
        let text = String(word.byteSwapped, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
