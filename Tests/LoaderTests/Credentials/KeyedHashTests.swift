import Testing

@testable import Loader

@Suite struct KeyedHashTests {
    /// Source: the reference implementation's vectors for 128 bits, key and input 00 01 02 ….
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
    ])
    func knownInputsHaveTheirKnownHashes(count: Int, expected: String) {
        let hash = KeyedHash(key: Array(0..<16))
        let words = hash.hash((0..<count).map { UInt8($0) })
        let text = words.map { word in
            (0..<8).map { place in
                let byte = UInt8(truncatingIfNeeded: word >> UInt64(8 * place))
                return (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }.joined()
        #expect(text == expected)
    }

    @Test func listsAreToldApartByTheirBorders() {
        let hash = KeyedHash(key: [1, 2, 3])
        #expect(hash.name(of: ["ab", "c"]) != hash.name(of: ["a", "bc"]))
        #expect(hash.name(of: []).count == 32)
        #expect(hash.name(of: ["a"]) != KeyedHash(key: [3, 2, 1]).name(of: ["a"]))
    }
}
