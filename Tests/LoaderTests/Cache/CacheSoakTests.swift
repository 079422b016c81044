import Base
import Foundation
import Glibc
import Support
import Synchronization
import Testing

@testable import Loader

/// A server that breaks in every way, a file that is swapped, a daemon that ends: what is read is always right.
@Suite struct CacheSoakTests {
    /// What the server does wrong next, and which version of the file it has.
    private final class FaultyFile: Sendable {
        private struct State {
            var generator: SeededGenerator
            var version = 0
            var count = 0
        }

        let versions = (0..<4).map { Scripts.bytes(200_000 + 30_000 * $0, seed: UInt32($0 + 1)) }
        private let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(generator: SeededGenerator(seed: seed))) }

        /// Answers that were asked for.
        var count: Int { state.withLock { $0.count } }

        func swap() { state.withLock { $0.version = ($0.version + 1) % versions.count } }

        func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
            let (version, kind, limit) = state.withLock { state in
                state.count += 1
                return (state.version, state.generator.below(10), 1 + state.generator.below(120_000))
            }
            let headers = [("ETag", "\"v\(version)\""), ("Cache-Control", "max-age=0")]
            if request.headers["if-none-match"] == "\"v\(version)\"" {
                return [.head("HTTP/1.1 304 Not Modified", headers)]
            }
            let part = Scripts.part(of: versions[version], request, headers: headers, limit: limit)
            switch kind {
            case 0, 1: return part
            case 2, 3: return part + [.reset]
            case 4: return [.head("HTTP/1.1 503 Busy", [("Content-Length", "0")])]
            case 5: return [.reset]
            case 6:
                swap()
                return part
            default: return Scripts.part(of: versions[version], request, headers: headers)
            }
        }

        /// True for bytes that one version has at that place.
        func has(_ bytes: [UInt8], at place: Int) -> Bool {
            versions.contains { $0.count >= place && $0[place...].starts(with: bytes) }
        }
    }

    private var settings: LoaderSettings {
        var settings = LoaderSettings.quick
        settings.retries.fileAttempts = 1000
        settings.retries.openingAttempts = 1000
        return settings
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>, [true, false])
    func whatIsReadIsAlwaysOfOneVersion(seed: UInt64, isCached: Bool) throws {
        var faults = DiskFaults()
        if !isCached { faults.code = { $0 == .open ? EROFS : nil } }
        let isFull = ProcessInfo.processInfo.environment["SOAK"] == "1"
        let file = FaultyFile(seed: seed)
        let server = try ScriptedServer(file.answer)
        let folder = try TemporaryFolder()
        var generator = SeededGenerator(seed: seed &+ 100)
        var daemon = CachedLoader(folder.path, faults: faults, settings: settings)
        var round = 0
        while file.count < (isFull ? 500 : 20), round < 1000 {
            round += 1
            if round % 3 == 0 { file.swap() }
            if round % 4 == 0 {
                daemon.stop()
                daemon = CachedLoader(folder.path, faults: faults, settings: settings)
            }
            let all = (0...generator.below(2)).map { _ in daemon.open(server.url("/a.mp3")) }
            for item in all {
                let limit = generator.below(2) == 0 ? Int.max : 1 + generator.below(150_000)
                let got = item.reader.read(from: 0, atMost: limit, chunk: 30_000)
                #expect(file.has(got, at: 0), "round \(round): \(got.count) bytes that are of no version")
                if limit == .max, !file.versions.contains(got) {
                    // It was replaced while it was read, and says so.
                    #expect(item.reader.failure(at: Int64(got.count)) != nil, "round \(round)")
                }
                let place = generator.below(150_000)
                let part = item.reader.read(from: Int64(place), atMost: 20_000)
                #expect(file.has(part, at: place), "round \(round), at \(place)")
            }
        }
    }
}
