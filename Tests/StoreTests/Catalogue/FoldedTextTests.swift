import Testing

@testable import Store

@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("Éclair", "eclair"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("Ångström", "angstrom"),
        ("Røyksopp", "royksopp"), ("Łódź", "lodz"), ("Æther", "aether"), ("İstanbul", "istanbul"),
        ("ﬁsh", "fish"),
        ("Don’t – stop", "don't - stop"), ("  a\t b\n\u{00A0}c  ", "a b c"), ("Ⅷ", "viii"), ("Ｆｕｌｌ", "full"),
        ("a\u{00AD}b\u{200B}c", "abc"), ("", ""), ("\u{0301}", ""), ("Ёлка", "елка"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
    ])
    func caseAccentsAndFormsAreFolded(text: String, folded: String) {
        #expect(FoldedText.folded(text) == folded)
    }

    @Test(arguments: ["Éclair", "Straße ÅÅ", "한글", "が", "ǅ", "ΐ", "Don’t", "x\u{0}y", "İ"])
    func whatIsFoldedStaysAsItIs(text: String) {
        let once = FoldedText.folded(text)
        #expect(FoldedText.folded(once) == once)
    }

    @Test func decomposedAndComposedAreTheSame() {
        #expect(FoldedText.folded("e\u{0301}\u{0323}") == FoldedText.folded("ẹ́"))
    }
}
