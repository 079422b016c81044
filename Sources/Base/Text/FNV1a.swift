/// FNV-1a, 64 bit: a hash that is the same in each run, for names that nobody has a reason to forge.
/// Source: RFC 9923.
package enum FNV1a {
    /// The hash of bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
