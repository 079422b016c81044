import Store
import Testing

/// What was heard, in the database.
@Suite struct HistoryTableTests {
    @Test func theNewestComesFirstAndMarksAreKept() throws {
        let folder = try Folder()
        let history = try StateFile.open(folder: folder.path).history
        #expect(try history.last() == nil)
        for id in 1...30 as ClosedRange<Int64> {
            var row = HeardRow(id: id, at: Double(id), url: "http://h/\(id)", isLive: id % 2 == 0)
            row.title = "T\(id)"
            try history.put(row)
        }
        #expect(try history.last()?.id == 30)
        #expect(try history.mark(7, true) && !(try history.mark(99, true)))
        let (total, rows) = try history.page(offset: 2, limit: 3, onlyMarked: false)
        #expect(total == 30 && rows.map(\.id) == [28, 27, 26] && rows[0].isLive && rows[0].title == "T28")
        let (marked, kept) = try history.page(offset: 0, limit: 9, onlyMarked: true)
        #expect(marked == 1 && kept.first?.id == 7)
    }
}
