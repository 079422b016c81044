import Base
import Support
import Testing

@testable import Loader

@Suite struct LiveStoreTests {
    private let disk = JobQueue(name: "test-disk")

    private func plan(_ spilling: TimeShiftPlan.Spilling, folders: [String], seconds: Int = 3600)
        -> TimeShiftPlan
    {
        var plan = TimeShiftPlan()
        plan.spilling = spilling
        plan.folders = folders
        plan.seconds = seconds
        plan.mostMemory = 1 << 20
        plan.patience = .zero
        return plan
    }

    /// Waits until the disk has done all that it was asked for.
    private func settle() throws {
        let point = WakePoint()
        try disk.run { point.signal() }
        #expect(point.wait(until: .now + .seconds(20)))
    }

    private func byte(at offset: Int64) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 2_654_435_761 >> 13) }

    private func write(_ store: LiveStore, _ count: Int, at offset: inout Int64, reader: Int64) {
        let bytes = (0..<count).map { byte(at: offset + Int64($0)) }
        unsafe bytes.withUnsafeBytes { unsafe store.write($0, at: offset, reader: reader) }
        offset += Int64(count)
    }

    /// How many bytes from an offset on are right; nil when one is wrong.
    private func check(_ store: LiveStore, at offset: Int64, _ count: Int = 5000) -> Int? {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = unsafe buffer.withUnsafeMutableBytes { unsafe store.read(at: offset, into: $0) }
        for index in 0..<got where buffer[index] != byte(at: offset + Int64(index)) { return nil }
        return got
    }

    @Test func heardInTimeOnlyMemoryIsUsedAndTheOldestGoes() throws {
        let folder = try TemporaryFolder()
        let store = LiveStore(plan(.late, folders: [folder.path]), disk: disk)
        var end: Int64 = 0
        for _ in 0..<300 { write(store, 10_000, at: &end, reader: end) }
        try settle()
        #expect(!store.isOnDisk)
        #expect(store.ranges == [(end - (1 << 20))..<end])
        #expect(check(store, at: end - 5000) == 5000)
        #expect(check(store, at: 0) == 0)
        #expect(store.room(at: end, reader: 0) >= 65_536)
    }

    @Test func aServerThatSendsFasterThanItIsHeardIsHeldBackAndOneThatIsPausedIsNot() throws {
        var plan = plan(.never, folders: [])
        for isHeard in [true, false] {
            plan.patience = isHeard ? .seconds(3600) : .zero
            let store = LiveStore(plan, disk: disk)
            var end: Int64 = 0
            while end < 2 << 20, store.room(at: end, reader: 100_000) >= 10_000 {
                write(store, 10_000, at: &end, reader: 100_000)
            }
            if isHeard {
                #expect(end > 1_100_000 && end <= 100_000 + 1 << 20)
                #expect(check(store, at: 100_000) == 5000)
                #expect(store.room(at: end, reader: 600_000) == .max)
            } else {
                #expect(end >= 2 << 20)
            }
        }
    }

    @Test func heardLateAllIsKeptAndBackAtTheEndTheFileGoes() throws {
        let folder = try TemporaryFolder()
        let store = LiveStore(plan(.late, folders: ["/nowhere", folder.path]), disk: disk)
        var end: Int64 = 0
        write(store, 50_000, at: &end, reader: 50_000)
        for _ in 0..<500 {
            write(store, 10_000, at: &end, reader: 50_000)
            try settle()
        }
        #expect(store.isOnDisk)
        #expect(store.ranges == [0..<end])
        for offset in stride(from: Int64(0), to: end, by: 7919) {
            #expect((check(store, at: offset) ?? 0) > 0)
        }
        for _ in 0..<150 {
            write(store, 10_000, at: &end, reader: end)
            try settle()
        }
        #expect(!store.isOnDisk)
        #expect(store.ranges == [(end - (1 << 20))..<end])
    }

    @Test func theFileIsARing() throws {
        let folder = try TemporaryFolder()
        // The rate is measured, and the least is 4 kB a second: the smallest file.
        let store = LiveStore(plan(.always, folders: [folder.path], seconds: 30), disk: disk)
        var end: Int64 = 0
        for _ in 0..<1000 {
            write(store, 10_000, at: &end, reader: 0)
            try settle()
        }
        let held = try #require(store.ranges.first)
        #expect(held.upperBound == end && held.lowerBound > 0 && end - held.lowerBound >= 1 << 20)
        for offset in stride(from: held.lowerBound, to: end, by: 4999) {
            #expect((check(store, at: offset) ?? 0) > 0)
        }
        #expect(check(store, at: held.lowerBound - 1) == 0)
    }

    @Test(arguments: [["/nowhere"], ["/proc/self"], []])
    func withoutAPlaceForAFileItIsMemoryThatIsKept(folders: [String]) throws {
        let store = LiveStore(plan(.always, folders: folders), disk: disk)
        var end: Int64 = 0
        for _ in 0..<300 { write(store, 10_000, at: &end, reader: 0) }
        try settle()
        #expect(!store.isOnDisk)
        #expect(store.ranges == [(end - (1 << 20))..<end])
    }

    @Test func noByteIsEverWrong() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 7)
        for spilling in TimeShiftPlan.Spilling.allCases {
            let store = LiveStore(plan(spilling, folders: [folder.path], seconds: 30), disk: disk)
            var end: Int64 = 0
            var reader: Int64 = 0
            for _ in 0..<1500 {
                write(store, Int.random(in: 1...16_384, using: &random), at: &end, reader: reader)
                if Int.random(in: 0..<3, using: &random) == 0 { try settle() }
                switch Int.random(in: 0..<20, using: &random) {
                case 0: reader = store.ranges[0].lowerBound
                case 1: reader = end
                default: break
                }
                guard let count = check(store, at: reader) else {
                    Issue.record("a wrong byte at \(reader) of \(store.ranges)")
                    return
                }
                reader =
                    count == 0 ? min(end, max(reader, store.ranges[0].lowerBound)) : reader + Int64(count)
                #expect(store.available(from: reader) >= 0)
            }
        }
    }
}
