import Base
import Foundation
import Glibc
import Support
import Synchronization
import Testing

@testable import Loader

/// Disks that fail, fill up, vanish or hang: what is heard goes on from the network.
@Suite struct CacheDiskTests {
    private let bytes = Scripts.bytes(900_000)
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/cache" }
    private let server: ScriptedServer

    init() throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer { [bytes] request in
            Scripts.part(
                of: bytes, request, headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        }
    }

    /// A disk that hangs at an operation from the moment when it is told to until a gate opens.
    private final class HangingDisk: Sendable {
        private let hangs = Mutex<DiskFaults.Operation?>(nil)
        private let hung = WakePoint()
        private let gate = Gate()

        var faults: DiskFaults {
            var faults = DiskFaults()
            faults.code = { [self] operation in
                guard hangs.withLock({ $0 }) == operation else { return nil }
                hung.signal()
                gate.wait(atMost: 600)
                return nil
            }
            return faults
        }

        func hang(at operation: DiskFaults.Operation) { hangs.withLock { $0 = operation } }
        func waitUntilItHangs() -> Bool { hung.wait(until: .now + .seconds(20)) }
        func goOn() { gate.open() }
    }

    /// Impatient with disks, so that a test need not be patient.
    private var settings: LoaderSettings {
        var settings = LoaderSettings.quick
        settings.lookupTimeout = .milliseconds(100)
        settings.diskTimeout = .milliseconds(100)
        return settings
    }

    @Test(arguments: [DiskFaults.Operation.open, .write, .sync])
    func aDiskThatHangsHoldsUpNobody(operation: DiskFaults.Operation) throws {
        let disk = HangingDisk()
        let daemon = CachedLoader(path, faults: disk.faults, settings: settings)
        defer { disk.goOn() }
        disk.hang(at: operation)
        for _ in 0..<2 {
            let item = daemon.open(server.url("/a.mp3"))
            #expect(difference(item.whole(), bytes) == nil)
        }
        #expect(disk.waitUntilItHangs())
        if operation != .sync {
            #expect(daemon.statuses.wait { $0.error?.contains("does not answer") == true } != nil)
            #expect(daemon.cache.isSilent)
            #expect(daemon.cache.lastStatus.error != nil)
        }
        // Well again, it is used again.
        disk.goOn()
        #expect(comesTrue { !daemon.cache.isSilent })
        #expect(difference(daemon.open(server.url("/b.mp3")).whole(), bytes) == nil)
        #expect(daemon.status.error == nil)
    }

    @Test func whatAHangingDiskDoesNotGiveIsFetched() throws {
        let first = CachedLoader(path)
        #expect(difference(first.open(server.url("/a.mp3")).whole(), bytes) == nil)
        first.stop()
        let disk = HangingDisk()
        let second = CachedLoader(path, faults: disk.faults, settings: settings)
        defer { disk.goOn() }
        let item = second.open(server.url("/a.mp3"))
        #expect(item.reader.read(from: 0, atMost: 100_000) == Array(bytes[..<100_000]))
        #expect(server.requests.count == 1)
        disk.hang(at: .read)
        #expect(difference(item.whole(), bytes) == nil)
        #expect(disk.waitUntilItHangs())
        #expect(server.requests.count == 2)
        #expect(second.statuses.wait { $0.error?.contains("does not answer") == true } != nil)
    }

    @Test func aSlowDiskIsWaitedFor() throws {
        let first = CachedLoader(path)
        #expect(difference(first.open(server.url("/a.mp3")).whole(), bytes) == nil)
        first.stop()
        var faults = DiskFaults()
        faults.code = { operation in
            if operation == .read { usleep(120_000) }
            return nil
        }
        let second = CachedLoader(path, faults: faults)
        #expect(difference(second.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func aDiskThatIsFullTakesNoMoreAndLosesNothing() throws {
        let isFull = Mutex(false)
        var faults = DiskFaults()
        faults.code = { $0 == .write && isFull.withLock { $0 } ? ENOSPC : nil }
        let daemon = CachedLoader(path, faults: faults)
        #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil)
        isFull.withLock { $0 = true }
        #expect(difference(daemon.open(server.url("/b.mp3")).whole(), bytes) == nil)
        #expect(daemon.statuses.wait { $0.error?.contains("is full") == true } != nil)
        #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil)
        isFull.withLock { $0 = false }
        #expect(difference(daemon.open(server.url("/c.mp3")).whole(), bytes) == nil)
        #expect(daemon.status.error == nil)
    }

    @Test func aFullDiskGetsRoomFromWhatWasNotUsedForLongest() throws {
        let writes = Mutex(0)
        var faults = DiskFaults()
        let path = path
        // There is room for two files.
        faults.code = { operation in
            guard operation == .write else { return nil }
            let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            writes.withLock { $0 += 1 }
            return files.filter { $0.hasSuffix(".data") }.count > 2 ? ENOSPC : nil
        }
        let daemon = CachedLoader(path, faults: faults)
        for name in ["a", "b", "c"] {
            #expect(difference(daemon.open(server.url("/\(name).mp3")).whole(), bytes) == nil)
            // What is open is not removed for room.
            #expect(comesTrue { daemon.cache.state.withLock { $0.open.isEmpty } })
        }
        let names = daemon.entries.map { $0.url.suffix(5) }
        #expect(names.contains("c.mp3") && !names.contains("a.mp3"))
        #expect(daemon.status.error == nil)
    }

    @Test func aReadOnlyFolderCostsOnlyTheCache() throws {
        var faults = DiskFaults()
        faults.code = { $0 == .open ? EROFS : nil }
        let daemon = CachedLoader(path, faults: faults)
        for _ in 0..<2 { #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil) }
        #expect(daemon.statuses.wait { $0.error?.contains("cannot be used") == true } != nil)
    }

    @Test func whatCameBeforeTheEndIsKeptThoughItsFileIsMadeAfterIt() throws {
        let disk = HangingDisk()
        // No more than waits for the disk in memory.
        let bytes = Array(bytes[..<300_000])
        let server = try ScriptedServer { request in
            Scripts.part(of: bytes, request, headers: [("Cache-Control", "max-age=3600")])
        }
        let daemon = CachedLoader(path, faults: disk.faults)
        let first = daemon.open(server.url("/other.mp3")).whole()
        #expect(difference(first, bytes) == nil)
        disk.hang(at: .open)
        let item = daemon.open(server.url("/a.mp3"))
        #expect(difference(item.whole(), bytes) == nil)
        #expect(disk.waitUntilItHangs())
        daemon.cache.close(until: .now)
        disk.goOn()
        daemon.stop()
        let again = CachedLoader(path)
        #expect(difference(again.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func whatIsOpenedAgainBeforeItsFileIsMadeIsNotFetchedAgain() throws {
        let disk = HangingDisk()
        // No more than waits for the disk in memory.
        let bytes = Array(bytes[..<300_000])
        let server = try ScriptedServer { request in
            Scripts.part(of: bytes, request, headers: [("Cache-Control", "max-age=3600")])
        }
        var settings = LoaderSettings.quick
        settings.lookupTimeout = .seconds(600)
        settings.diskTimeout = .seconds(600)
        let daemon = CachedLoader(path, faults: disk.faults, settings: settings)
        #expect(difference(daemon.open(server.url("/other.mp3")).whole(), bytes) == nil)
        disk.hang(at: .open)
        let item = daemon.open(server.url("/a.mp3"))
        #expect(difference(item.whole(), bytes) == nil)
        #expect(disk.waitUntilItHangs())
        item.source.close()
        let again = daemon.open(server.url("/a.mp3"))
        disk.goOn()
        #expect(difference(again.whole(), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func aSaltThatCannotBeReadIsNotMadeAnew() throws {
        let server = try ScriptedServer { [bytes] request in
            Scripts.part(of: bytes, request, headers: [("Cache-Control", "max-age=3600")])
        }
        let daemon = CachedLoader(path)
        #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil)
        daemon.stop()
        let salt = path + "/salt"
        try FileManager.default.moveItem(atPath: salt, toPath: salt + ".aside")
        // Reading a folder fails for root, too.
        try FileManager.default.createDirectory(atPath: salt, withIntermediateDirectories: false)
        let without = CachedLoader(path)
        #expect(without.status.error?.contains("cannot be used") == true)
        #expect(difference(without.open(server.url("/a.mp3")).whole(), bytes) == nil)
        without.stop()
        try FileManager.default.removeItem(atPath: salt)
        try FileManager.default.moveItem(atPath: salt + ".aside", toPath: salt)
        let again = CachedLoader(path)
        #expect(difference(again.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func aFolderThatVanishesMidwayTakesNothingAlong() throws {
        let gate = Gate()
        let server = try ScriptedServer { [bytes] request in
            let steps = Scripts.part(of: bytes, request, headers: [("Cache-Control", "max-age=3600")])
            guard request.index == 0 else { return steps }
            return [steps[0], .body(Array(bytes[..<300_000])), .wait(gate), .body(Array(bytes[300_000...]))]
        }
        let daemon = CachedLoader(path)
        let item = daemon.open(server.url("/a.mp3"))
        #expect(item.reader.read(from: 0, atMost: 300_000) == Array(bytes[..<300_000]))
        #expect(comesTrue { !daemon.entries.isEmpty })
        try FileManager.default.removeItem(atPath: path)
        gate.open()
        #expect(difference(item.whole(), bytes) == nil)
        #expect(difference(daemon.open(server.url("/b.mp3")).whole(), bytes) == nil)
        #expect(daemon.entries.map { $0.url.suffix(5) } == ["b.mp3"])
        #expect(daemon.status.error == nil)
    }

    @Test func onAMeteredConnectionNoMoreIsLoadedThanWillSoonBeHeard() throws {
        var settings = settings
        settings.fills = false
        settings.lookupTimeout = .seconds(600)
        settings.diskTimeout = .seconds(600)
        let long = Scripts.bytes(3_000_000)
        let server = try ScriptedServer { request in
            Scripts.part(of: long, request, headers: [("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        }
        let daemon = CachedLoader(path, settings: settings)
        let item = daemon.open(server.url("/a.mp3"))
        #expect(item.reader.read(from: 0, atMost: 50_000) == Array(long[..<50_000]))
        // Held back, with what will soon be heard in hand; what the sockets hold is not counted.
        #expect(item.log.wait { ($0.progress?.receivedBytes ?? 0) > 0 } != nil)
        #expect(daemon.loader.receivedBytes < 1_500_000)
        #expect(difference(item.whole(), long) == nil)
    }
}
