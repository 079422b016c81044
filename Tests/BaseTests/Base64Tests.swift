import Base
import Testing

@Suite struct Base64Tests {
    /// Source: RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{7f}\u{fe}\u{ff}?", "f8O+w78/"),
    ])
    func bytesBecomeTextAndComeBack(text: String, encoded: String) {
        #expect(Base64.encoded(Array(text.utf8)) == encoded)
        #expect(Base64.decoded(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zm9v!", "Zm9 v", "=Zg", "Zg=a"])
    func otherTextIsRefused(text: String) { #expect(Base64.decoded(text) == nil) }
}
