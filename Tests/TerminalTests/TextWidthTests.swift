import Testing

@testable import Terminal

@Suite struct TextWidthTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("åäö", 3), ("a\u{308}", 1), ("日本", 4), ("한글", 4), ("🎵x", 3), ("ｆｕ", 4),
            ("“…”", 3),
        ] as [(String, Int)])
    func columnsAreThoseOfTheTerminal(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
            ("ab", 1, "…"), ("ab", 0, ""),
        ] as [(String, Int, String)])
    func whatIsTooLongIsCut(text: String, columns: Int, cut: String) {
        #expect(TextWidth.clipped(text, to: columns) == cut)
        #expect(TextWidth.of(TextWidth.fitted(text, to: columns)) == columns)
    }

    @Test func linesBreakBetweenWordsWhereTheyCan() {
        #expect(TextWidth.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TextWidth.wrapped("a verylongword b", to: 6) == ["a", "verylo", "ngword", "b"])
        #expect(TextWidth.wrapped("日本語", to: 4) == ["日本", "語"])
        #expect(TextWidth.wrapped("x", to: 0) == [])
    }
}
