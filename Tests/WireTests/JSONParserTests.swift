import Base
import Support
import Testing
import Wire

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONParser.parse(Array(text.utf8))
    }

    @Test func everyKindOfValueIsParsed() throws {
        let text = #"{"a":[1,-2.5,true,false,null,"x\u00e4\ud83d\ude00\n"],"":{}} "#
        let expected: JSONValue = .object([
            "a": .array([.integer(1), .real(-2.5), .bool(true), .bool(false), .null, .string("xä😀\n")]),
            "": .object([:]),
        ])
        #expect(try parse(text) == expected)
    }

    @Test(arguments: ["1", "null", "\"x\"", "true", "-0.5e3", "[]"])
    func aValueThatIsNoObjectIsJSONToo(_ text: String) throws {
        _ = try parse(text)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{'a':1}", "[1] 2", "nul", "+1", "01", "1.", "\"\u{1}\"",
        "\"\\x\"",
        "\"\\ud800\"", "\"\\udc00\"", "{\"a\":1,\"a\":2}", "{\"a\" 1}", "NaN", "1e999", "\"open",
        "\u{FEFF}{}",
        "{\"a\\u0000b\":1}", "]", "::::", "{\"a\":1}\u{0}",
    ])
    func whatIsNoStrictJSONIsASyntaxError(_ text: String) {
        #expect(performing: { try parse(text) }, throws: { ($0 as? JSONError)?.kind == .syntax })
    }

    @Test(arguments: [
        [0x22, 0xFF, 0xFE, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0x61, 0x00, 0x22],
        [0x00], [0x22, 0xE2, 0x82, 0x22], [0xFF],
    ])
    func badBytesAreASyntaxError(_ bytes: [UInt8]) {
        #expect(performing: { try JSONParser.parse(bytes) }, throws: { ($0 as? JSONError)?.kind == .syntax })
    }

    @Test func anEscapedNULStaysInItsString() throws {
        #expect(try parse(#""/tmp/x\u0000.mp3""#) == .string("/tmp/x\0.mp3"))
    }

    @Test(arguments: [
        ("9223372036854775807", JSONValue.integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .real(9223372036854775808)),
        ("-9223372036854775809", .real(-9223372036854775808)),
        ("100000000000000000000000", .real(1e23)),
        (
            "[1,18446744073709551616,9007199254740993]",
            .array([.integer(1), .real(18446744073709551616), .integer(9007199254740993)])
        ),
        ("\"18446744073709551616\"", .string("18446744073709551616")),
    ])
    func anIntegerBeyond64BitsIsARealAndNoOtherIs(_ text: String, _ expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test func exactlyTheLimitOfValuesIsTaken() throws {
        let limits = JSONLimits(values: 10, levels: 3)
        func list(_ count: Int) -> [UInt8] {
            Array(("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]").utf8)
        }
        _ = try JSONParser.parse(list(9), limits: limits)
        #expect(
            performing: { try JSONParser.parse(list(10), limits: limits) },
            throws: { ($0 as? JSONError)?.kind == .limit })
    }

    @Test func namesOfMembersAreNoValues() throws {
        let limits = JSONLimits(values: 5, levels: 3)
        _ = try JSONParser.parse(Array(#"{"a":1,"b":2,"c":"x","d":null}"#.utf8), limits: limits)
    }

    @Test func exactlyTheLimitOfLevelsIsTaken() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(32))
        #expect(performing: { try parse(nested(33)) }, throws: { ($0 as? JSONError)?.kind == .limit })
        #expect(
            performing: { try parse(String(repeating: "[", count: 1 << 20)) },
            throws: { ($0 as? JSONError)?.kind == .limit })
    }

    @Test func bracketsInStringsAreNoLevels() throws {
        #expect(try parse(#""[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"[""#).kindName == "a string")
    }

    @Test func aMegabyteOfSmallObjectsIsRefusedBeforeItIsParsed() {
        let bytes = Array(("[" + String(repeating: "{},", count: 300_000) + "{}]").utf8)
        #expect(performing: { try JSONParser.parse(bytes) }, throws: { ($0 as? JSONError)?.kind == .limit })
    }

    /// Around the size up to which a parse needs no memory of its own.
    @Test(arguments: [1, 10, 50, 100, 200, 1000, 5000]) func messagesOfAnySizeAreReadOrRefused(count: Int)
        throws
    {
        let text = "[" + (0..<count).map { #"{"name\#($0)":"value"}"# }.joined(separator: ",")
        guard case .array(let values) = try parse(text + "]") else { return #expect(Bool(false)) }
        #expect(values.count == count)
        #expect(values.last?["name\(count - 1)"] == .string("value"))
        #expect(performing: { try parse(text) }, throws: { ($0 as? JSONError)?.kind == .syntax })
        let again = text + #",{"a":1,"a":2}]"#
        #expect(performing: { try parse(again) }, throws: { ($0 as? JSONError)?.kind == .syntax })
        #expect(try parse(#""after""#) == .string("after"))
    }

    @Test func whatIsWrittenIsReadBackTheSame() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let value = randomValue(&random, depth: 4)
            #expect(try JSONParser.parse(JSONText(value).bytes) == value)
        }
    }

    private func randomValue(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: .real(Double(Int.random(in: -9999...9999, using: &random)) + 0.5)
        case 4: .string(randomText(&random))
        case 5: .array((0..<3).map { _ in randomValue(&random, depth: depth - 1) })
        default:
            .object(
                JSONMembers(
                    Dictionary(
                        (0..<(depth == 1 ? 12 : 3)).map { _ in
                            (randomText(&random, from: 1), randomValue(&random, depth: depth - 1))
                        },
                        uniquingKeysWith: { first, _ in first })))
        }
    }

    private func randomText(_ random: inout SeededGenerator, from first: UInt32 = 0) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let code = UInt32.random(in: first...0x2FF, using: &random)
            if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
