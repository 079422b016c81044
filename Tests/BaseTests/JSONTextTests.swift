import Base
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: [0, 7, -7, 10, 99, 1_234_567_890, Int64.max, Int64.min, -10])
    func integersAreWrittenInFull(value: Int64) {
        #expect(JSONText(value).string == String(value))
    }

    @Test(arguments: [
        (0.1, "0.1"), (1.0, "1"), (1e300, "1e+300"), (1.0 / 3, "0.333333333333333"), (-0.0, "-0"),
        (.nan, "null"), (.infinity, "null"),
    ])
    func numbersHaveAtMostFifteenDigits(value: Double, text: String) {
        #expect(JSONText(value).string == text)
    }

    @Test func controlCharactersAreEscaped() {
        #expect(JSONText("a\"\\\n\u{1}ü").string == #""a\"\\\n\u0001ü""#)
    }
}
