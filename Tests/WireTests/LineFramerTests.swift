import Support
import Testing
import Wire

@Suite struct LineFramerTests {
    private func frames(_ text: String, limit: Int = LineFramer.requestLimit, chunk: Int? = nil) -> [String] {
        var framer = LineFramer(limit: limit)
        var result: [String] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + (chunk ?? bytes.count))
            framer.append(Array(bytes[start..<end]))
            start = end
            while let frame = framer.next() {
                switch frame {
                case .line(let line): result.append(String(decoding: line, as: UTF8.self))
                case .tooLong: result.append("TOO LONG")
                }
            }
        }
        return result
    }

    @Test(arguments: [nil, 1, 2, 3, 7] as [Int?])
    func linesComeWholeHoweverTheyWereSplit(_ chunk: Int?) {
        #expect(frames("one\ntwo\r\n\n\r\n \t\nthree\rx\nrest", chunk: chunk) == ["one", "two", "three\rx"])
    }

    @Test(arguments: [nil, 1, 4] as [Int?])
    func aLineThatIsTooLongIsToldOnceAndSkippedToItsEnd(_ chunk: Int?) {
        let text = "12345678\n123456789\n" + String(repeating: "A", count: 40) + "\nok\n12345678\r\n"
        #expect(
            frames(text, limit: 8, chunk: chunk) == ["12345678", "TOO LONG", "TOO LONG", "ok", "12345678"])
    }

    @Test func anEndlessLineIsToldWithoutItsEnd() {
        #expect(frames(String(repeating: "A", count: 100), limit: 8, chunk: 10) == ["TOO LONG"])
    }

    @Test func manyLinesInOneReadComeInOrder() {
        let text = (0..<200).map { "\($0)\n" }.joined()
        #expect(frames(text) == (0..<200).map(String.init))
    }

    @Test func randomCutsGiveWhatSplittingTheWholeGives() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let text = String(
                (0..<60).map { _ in "ab\r\n\n ".randomElement(using: &random) ?? "a" })
            let whole = text.utf8.split(separator: 10, omittingEmptySubsequences: false).dropLast()
            let expected = whole.map { line in
                String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }.filter { !$0.utf8.allSatisfy { $0 == 32 } }
            #expect(frames(text, chunk: Int.random(in: 1...9, using: &random)) == expected)
        }
    }
}
