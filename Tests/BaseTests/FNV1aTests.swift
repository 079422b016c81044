import Base
import Testing

@Suite struct FNV1aTests {
    /// The values of RFC 9923's test vectors.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func hashesAsEverybodyDoes(text: String, hash: UInt64) {
        #expect(FNV1a.hash(text.utf8) == hash)
    }
}
