/// FNV-1a, 64 bit: a hash that is the same in each run, for names that nobody has a reason to forge.
/// Source: RFC 9923.
package enum FNV1a {
    /// The hash of nothing.
    package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of bytes, behind those that had the hash `before`.
    package static func hash(_ bytes: some Sequence<UInt8>, after before: UInt64 = start) -> UInt64 {
        bytes.reduce(before) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
