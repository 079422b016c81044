import Base
import Foundation
import Store
import Support
import Testing

/// The queue in the database.
@Suite struct QueueTableTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func whatIsReadAgainIsWhatWasWritten(seed: UInt64) throws {
        let folder = try Folder()
        var random = SeededGenerator(seed: seed)
        var model: [SavedEntry] = []
        var nextID: Int64 = 1
        for _ in 0..<6 {
            let file = try StateFile.open(folder: folder.path)
            #expect(file.queue.takeLoaded() == model)
            try file.database.transaction { () throws(StoreError) in
                for _ in 0..<60 { try Self.step(&random, file.queue, &model, &nextID) }
            }
        }
        #expect(try StateFile.open(folder: folder.path).queue.takeLoaded() == model)
    }

    private static func step(
        _ random: inout SeededGenerator, _ table: QueueTable, _ model: inout [SavedEntry],
        _ nextID: inout Int64
    ) throws(StoreError) {
        switch random.below(10) {
        case 0, 1, 2, 3:
            let new = (0..<random.below(5)).map { _ in
                defer { nextID += 1 }
                return entry(nextID, &random)
            }
            let index = random.below(model.count + 1)
            try table.insert(new, at: index)
            model.insert(contentsOf: new, at: index)
        case 4:
            // The same place again and again, until there is no room left between neighbours.
            for _ in 0..<25 {
                let new = entry(nextID, &random)
                nextID += 1
                try table.insert([new], at: min(1, model.count))
                model.insert(new, at: min(1, model.count))
            }
        case 5, 6:
            let gone = Set((0..<random.below(12)).compactMap { _ in model.randomElement(using: &random)?.id })
            try table.remove(Array(gone))
            model.removeAll { gone.contains($0.id) }
        case 7:
            let moved = Array(Set((0..<3).compactMap { _ in model.randomElement(using: &random)?.id }))
            let taken = moved.compactMap { id in model.first { $0.id == id } }
            model.removeAll { moved.contains($0.id) }
            let index = random.below(model.count + 1)
            try table.move(moved, to: index)
            model.insert(contentsOf: taken, at: index)
        case 8:
            model.shuffle(using: &random)
            try table.reorder(model.map(\.id))
        default:
            guard !model.isEmpty else { return }
            let index = random.below(model.count)
            model[index].errorCode = "corrupt"
            model[index].duration = 12.5
            try table.update(model[index])
        }
    }

    private static func entry(_ id: Int64, _ random: inout SeededGenerator) -> SavedEntry {
        var entry = SavedEntry(id: id, url: "http://h/ä?\(random.below(99))")
        if random.below(2) == 0 { entry.title = "It's \"\(id)\"\u{0} 音" }
        if random.below(3) == 0 { entry.headers = ["Authorization", "Bearer 1:2:", "X", ""] }
        if random.below(3) == 0 { entry.mirrors = ["http://m/1", "12:http://m/2"] }
        entry.isTitleGiven = random.below(2) == 0
        entry.isBound = random.below(2) == 0
        return entry
    }

    @Test func theFileAndItsJournalAreTheOwnersOnly() throws {
        let folder = try Folder()
        let file = try StateFile.open(folder: folder.path + "/deep/er")
        try file.settings.set("a", .text("b"))
        for name in ["", "-wal"] {
            let path = folder.path + "/deep/er/state.db" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    @Test func valuesKeepTheirKind() throws {
        let folder = try Folder()
        let values: [String: SQLValue] = [
            "a": .integer(.min), "b": .real(0.1), "c": .text("ä\u{0}b"), "d": .blob([0, 255]), "e": .null,
            "f": .blob([]), "g": .text(""), "h": .real(3),
        ]
        let file = try StateFile.open(folder: folder.path)
        for (name, value) in values { try file.settings.set(name, value) }
        #expect(try StateFile.open(folder: folder.path + "/other").settings.values.isEmpty)
        try reopen(file, folder) { #expect($0.settings.values == values) }
    }

    private func reopen(_ file: consuming StateFile, _ folder: Folder, _ check: (StateFile) -> Void) throws {
        let copy = folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in ["state.db", "state.db-wal"] {
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: copy + "/" + name)
        }
        check(try StateFile.open(folder: copy))
    }

    // MARK: Damage

    @Test(arguments: ["not a database at all", "", "SQLite format 3\u{0}"])
    func aDamagedFileIsSetAside(content: String) throws {
        let folder = try Folder()
        try Data((content + String(repeating: "x", count: content.isEmpty ? 0 : 9_000)).utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/state.db"))
        let file = try StateFile.open(folder: folder.path)
        try file.settings.set("works", .integer(1))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains { $0.hasPrefix("state.db.damaged-") } == !content.isEmpty)
    }

    @Test func aPageInTheMiddleThatIsDamagedIsFound() throws {
        let folder = try Folder()
        do {
            let file = try StateFile.open(folder: folder.path)
            let entries = (1...2_000).map { SavedEntry(id: $0, url: "http://h/\($0)") }
            try file.queue.insert(entries, at: 0)
        }
        let path = folder.path + "/state.db"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 4_096 * 3..<min(bytes.count, 4_096 * 20) { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        let file = try StateFile.open(folder: folder.path)
        #expect(file.queue.takeLoaded().isEmpty)
    }

    @Test func aFileOfALaterProgramIsSetAsideAndKept() throws {
        let folder = try Folder()
        do {
            let file = try StateFile.open(folder: folder.path)
            try file.settings.set("a", .integer(1))
            try file.database.execute("PRAGMA user_version = 99")
        }
        #expect(try StateFile.open(folder: folder.path).settings.values.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains { $0.hasPrefix("state.db.future-") })
    }

    @Test func aTransactionThatFailsChangesNothing() throws {
        let folder = try Folder()
        let file = try StateFile.open(folder: folder.path)
        #expect(throws: StoreError.self) {
            try file.database.transaction { () throws(StoreError) in
                try file.settings.set("a", .integer(1))
                try file.database.execute("nonsense")
            }
        }
        #expect(try file.database.integer("SELECT count(*) FROM settings") == 0)
    }
}

/// A folder that goes with this object.
final class Folder {
    let path = NSTemporaryDirectory() + "jb-store-\(UUID().uuidString.prefix(8))"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
