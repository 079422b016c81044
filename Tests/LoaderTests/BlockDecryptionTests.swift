import Testing

@testable import Loader

@Suite struct BlockDecryptionTests {
    /// NIST SP 800-38A, F.2.2: four blocks without padding.
    private static let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
    private static let vector = bytes("000102030405060708090a0b0c0d0e0f")
    private static let cipher = bytes(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
            + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7")
    private static let plain = bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test(arguments: [1, 15, 16, 17, 64])
    func piecesOfAnySizeAreUndone(_ size: Int) throws {
        var decryption = try #require(BlockDecryption(key: Self.key, vector: Self.vector))
        var result: [UInt8] = []
        for start in stride(from: 0, to: Self.cipher.count, by: size) {
            let part = decryption.take(Self.cipher[start..<min(64, start + size)])
            result += try #require(part)
        }
        let last = decryption.end()
        result += try #require(last)
        // The last byte says that 16 bytes are filled up: that is 0x10, as the standard's last block ends.
        #expect(result == Array(Self.plain.dropLast(16)))
    }

    @Test func whatIsCutIsTold() throws {
        var decryption = try #require(BlockDecryption(key: Self.key, vector: Self.vector))
        let whole = decryption.take(Self.cipher.prefix(30))
        let rest = decryption.end()
        #expect(whole == Array(Self.plain.prefix(16)) && rest == nil)
    }

    @Test func aKeyOfAnotherSizeIsNone() {
        #expect(BlockDecryption(key: [1, 2, 3], vector: Self.vector) == nil)
    }
}
