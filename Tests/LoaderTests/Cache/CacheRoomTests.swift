import Base
import Foundation
import Glibc
import Support
import Synchronization
import Testing

@testable import Loader

/// What stays when there is not room for all.
@Suite struct CacheRoomTests {
    private let folder: TemporaryFolder
    private let server: ScriptedServer
    private static let length = 200_000

    init() throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer { request in
            Scripts.part(
                of: Self.bytes(request.path), request,
                headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        }
    }

    private static func bytes(_ path: String) -> [UInt8] {
        Scripts.bytes(length, seed: UInt32(path.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xffff))
    }

    /// Plays files to their ends, one after the other.
    private func play(_ names: [String], _ daemon: CachedLoader) {
        for name in names {
            let item = daemon.open(server.url("/\(name)"))
            #expect(difference(item.whole(), Self.bytes("/\(name)")) == nil)
            #expect(item.waitUntilComplete())
        }
    }

    /// True when these are kept whole, and nothing else is; waits for the disk to have them.
    private func keeps(_ names: Set<String>, _ daemon: CachedLoader) -> Bool {
        comesTrue {
            let entries = daemon.entries.filter { $0.bytes > 0 }
            return Set(entries.map { String($0.url.suffix(1)) }) == names && entries.allSatisfy(\.isComplete)
        }
    }

    @Test func whatWasNotUsedForLongestGoesFirst() throws {
        let daemon = CachedLoader(folder.path)
        play(["a", "b", "c", "d", "a", "b"], daemon)
        #expect(server.requests.count == 4)
        daemon.cache.setLimit(500_000)
        #expect(keeps(["a", "b"], daemon))
        #expect(daemon.status.used <= 500_000)
        play(["b", "a", "c"], daemon)
        #expect(server.requests.count == 5)
        #expect(keeps(["a", "c"], daemon))
    }

    @Test func theOrderOutlivesARestart() throws {
        let first = CachedLoader(folder.path)
        play(["a", "b", "c", "a"], first)
        first.stop()
        let second = CachedLoader(folder.path)
        second.cache.setLimit(500_000)
        #expect(keeps(["a", "c"], second))
    }

    @Test func whatIsPinnedStaysAndIsPinnedAfterARestart() throws {
        let first = CachedLoader(folder.path)
        play(["a", "b", "c"], first)
        let isPinned = Outcome<Bool>()
        first.cache.pin(url: server.url("/a"), true, isPinned.set)
        #expect(isPinned.value == true)
        first.stop()
        let second = CachedLoader(folder.path)
        second.cache.setLimit(250_000)
        #expect(keeps(["a"], second))
        #expect(second.entries.map(\.isPinned) == [true])
        // Also when all that is not pinned is removed.
        let freed = Outcome<Int64>()
        second.cache.clear(url: nil, freed.set)
        #expect(freed.value == 0)
        #expect(keeps(["a"], second))
        second.cache.pin(url: server.url("/a"), false)
        second.cache.setLimit(1000)
        #expect(keeps([], second))
    }

    @Test func whatIsHeardIsNotRemovedFromUnderIt() throws {
        let daemon = CachedLoader(folder.path, limit: 250_000)
        let item = daemon.open(server.url("/a"))
        #expect(difference(item.whole(), Self.bytes("/a")) == nil)
        #expect(item.waitUntilComplete())
        // There is no room for this one beside it, and it plays all the same.
        play(["b"], daemon)
        #expect(difference(item.whole(), Self.bytes("/a")) == nil)
        #expect(server.requests.count == 2)
        #expect(daemon.status.used <= 250_000)
    }

    @Test(arguments: [
        // Half of what would be free without the cache is the cache's, at most.
        (free: 400_000, names: ["a", "b"], left: 1), (free: 10_000_000, names: ["a", "b"], left: 2),
        (free: 0, names: ["a"], left: 0),
    ])
    func noMoreThanHalfOfTheFreeDiskIsTaken(free: Int, names: [String], left: Int) throws {
        var faults = DiskFaults()
        faults.free = { _ in Int64(free) }
        let daemon = CachedLoader(folder.path, faults: faults)
        play(names, daemon)
        #expect(keeps(Set(names.suffix(left)), daemon))
        let status = daemon.status
        #expect(status.allowed == (status.used + Int64(free)) / 2)
        #expect((status.error?.contains("is full") ?? false) == (left == 0))
    }

    @Test func aLimitOfNothingKeepsNothing() throws {
        let daemon = CachedLoader(folder.path, limit: 0)
        play(["a", "a"], daemon)
        #expect(server.requests.count == 2)
        #expect(daemon.entries.filter { $0.bytes > 0 } == [])
    }
}

/// A value that another thread sets, waited for.
final class Outcome<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)
    private let point = WakePoint()

    var set: @Sendable (Value) -> Void {
        { [self] value in
            held.withLock { $0 = value }
            point.signal()
        }
    }

    /// Nil when nothing came within 20 s.
    var value: Value? {
        let deadline = MonotonicTime.now + .seconds(20)
        while true {
            if let value = held.withLock({ $0 }) { return value }
            if !point.wait(until: deadline) { return nil }
        }
    }
}
