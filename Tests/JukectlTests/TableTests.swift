import Base
import Terminal
import Testing

@testable import jukectl

@Suite struct TableTests {
    private let output = Output(wantsJSON: false, isTerminal: false)

    private func table(_ rows: [[String]]) -> Table {
        var table = Table(columns: [
            .init(isRight: true), .init(isFlexible: true), .init(isFlexible: true, rank: 2), .init(rank: 1),
        ])
        table.rows = rows.map { $0.map { Table.Cell($0) } }
        return table
    }

    @Test func withoutATerminalNothingIsCut() {
        let table = table([["7", "A title", "somebody", "day"], ["12", "日本", "", "day"]])
        #expect(
            table.lines(width: nil, on: output) == [
                " 7  A title  somebody  day", "12  日本               day",
            ])
    }

    @Test(arguments: [120, 80, 60, 40, 24, 10, 3])
    func everyLineFitsTheTerminal(width: Int) {
        let long = String(repeating: "長い題名 ", count: 30)
        let table = table([
            ["7", long, "somebody else", "2024-01-01"], ["123", "short", long, "2024-01-01"],
        ])
        for line in table.lines(width: width, on: output) {
            #expect(TextWidth.of(line) <= max(width, 6), "\(line)")
        }
    }

    @Test func theLeastImportantColumnsGoFirst() {
        let table = table([["7", "A long title of something", "somebody", "2024-01-01"]])
        #expect(table.widths(within: 80) == [1, 25, 8, 10])
        #expect(table.widths(within: 30) == [1, 15, 0, 10])
        #expect(table.widths(within: 20) == [1, 17, 0, 0])
    }

    @Test func anEmptyTableHasNoLines() {
        #expect(table([]).lines(width: 80, on: output) == [])
    }

    @Test func itemsTellWhetherTheyWereHeard() {
        let items = [true, false].compactMap { heard in
            StoreItem(
                .object([
                    "id": .integer(1), "title": .string("T"), "kind": .string("track"), "heard": .bool(heard),
                ]))
        }
        #expect(StoreTables.items(items).lines(width: nil, on: output) == ["1  ✓   T", "1  •   T"])
    }
}
