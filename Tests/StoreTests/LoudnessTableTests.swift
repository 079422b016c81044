import Store
import Testing

/// What was measured, in the database.
@Suite struct LoudnessTableTests {
    @Test func aNewMeasureTakesThePlaceOfAnOldOne() throws {
        let folder = try Folder()
        let table = try StateFile.open(folder: folder.path).loudness
        let other = LoudnessRow(key: .min, lufs: -30, seconds: 600, at: 3)
        for row in [LoudnessRow(key: 7, lufs: -9, seconds: 20, at: 1), other] { try table.put(row) }
        let better = LoudnessRow(key: 7, lufs: -9.5, seconds: 200, at: 2)
        try table.put(better)
        #expect(try Set(table.all().map(\.lufs)) == [-30, -9.5])
        #expect(try table.all().contains(better))
    }
}
