import Base
import Foundation
import Glibc
import Support
import Testing

@testable import Loader

/// Several readers of one resource: what one of them caused to be fetched is there for all.
@Suite struct SharedReadingTests {
    private let bytes = Scripts.bytes(300_000)
    private let folder: TemporaryFolder
    private let headers = [("ETag", "\"v1\""), ("Cache-Control", "max-age=3600")]

    init() throws { folder = try TemporaryFolder() }

    /// A loader with a cache, or without one.
    private func loader(_ isCached: Bool, _ settings: LoaderSettings = .quick) -> Loader {
        var settings = settings
        if isCached { settings.cache = DiskCache(CacheSettings(folder: folder.path + "/cache")) }
        return Loader(settings)
    }

    /// A server whose first answer waits for a gate after some bytes.
    private func server(_ gate: Gate, after count: Int) throws -> ScriptedServer {
        try ScriptedServer { [bytes, headers] request in
            let steps = Scripts.part(of: bytes, request, headers: headers)
            guard request.index == 0 else { return steps }
            return [steps[0], .body(Array(bytes[..<count])), .wait(gate), .body(Array(bytes[count...]))]
        }
    }

    @Test(arguments: [true, false]) func twoOpeningsAtATimeCostOneRequest(isCached: Bool) throws {
        let gate = Gate()
        let server = try server(gate, after: 100_000)
        let loader = loader(isCached)
        defer { loader.stop() }
        let first = Listening(loader, server.url("/a.mp3"), [])
        let early = Listening(loader, server.url("/a.mp3"), [])
        #expect(difference(first.reader.read(from: 0, atMost: 50_000), Array(bytes[..<50_000])) == nil)
        let late = Listening(loader, server.url("/a.mp3"), [])
        #expect(difference(late.reader.read(from: 0, atMost: 50_000), Array(bytes[..<50_000])) == nil)
        gate.open()
        for reader in [late, first, early] {
            #expect(difference(reader.whole(), bytes) == nil)
            #expect(reader.reader.isEnd(at: 300_000))
            #expect(reader.log.wait { $0.isInformation } != nil)
            #expect(reader.waitUntilComplete())
        }
        #expect(server.requests.count == 1)
        #expect(loader.receivedBytes < 302_000)
    }

    @Test(arguments: [true, false]) func oneThatIsClosedLeavesTheOthersAndWhatIsOnItsWay(isCached: Bool)
        throws
    {
        let gate = Gate()
        let server = try server(gate, after: 100_000)
        let loader = loader(isCached)
        defer { loader.stop() }
        let first = Listening(loader, server.url("/a.mp3"), [])
        #expect(difference(first.reader.read(from: 0, atMost: 100_000), Array(bytes[..<100_000])) == nil)
        let second = Listening(loader, server.url("/a.mp3"), [])
        first.source.close()
        #expect(first.reader.failure(at: 100_000)?.code == .internal)
        gate.open()
        #expect(difference(second.whole(), bytes) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func aSongThatIsOpenedAgainAndAgainGoesOnLoading() throws {
        let gate = Gate()
        let server = try server(gate, after: 100_000)
        let loader = loader(true)
        defer { loader.stop() }
        var current = Listening(loader, server.url("/a.mp3"), [])
        for _ in 0..<20 { current = Listening(loader, server.url("/a.mp3"), []) }
        gate.open()
        #expect(difference(current.whole(), bytes) == nil)
        #expect(server.requests.count == 1)
    }

    @Test func eachIsServedAsSoonAsItsBytesAreHere() throws {
        let gates = (Gate(), Gate())
        let server = try ScriptedServer { [bytes, headers] request in
            [
                Scripts.part(of: bytes, request, headers: headers)[0], .body(Array(bytes[..<60_000])),
                .wait(gates.0), .body(Array(bytes[60_000..<200_000])), .wait(gates.1),
                .body(Array(bytes[200_000...])),
            ]
        }
        var settings = LoaderSettings.quick
        settings.nearBytes = 1_000_000
        let loader = loader(true, settings)
        defer { loader.stop() }
        let all = (0..<5).map { _ in Listening(loader, server.url("/a.mp3"), []) }
        // Many wait at once, each at its own place.
        for (index, place) in [0, 60_000, 100_000, 199_000, 250_000].enumerated() {
            var buffer = [UInt8](repeating: 0, count: 1000)
            let outcome = unsafe buffer.withUnsafeMutableBytes {
                unsafe all[index].source.read(at: Int64(place), into: $0)
            }
            #expect(index == 0 || outcome == .wait)
        }
        #expect(all[0].reader.read(from: 59_000, atMost: 1000) == Array(bytes[59_000..<60_000]))
        gates.0.open()
        for (index, place) in [(1, 60_000), (2, 100_000), (3, 199_000)] {
            let part = all[index].reader.read(from: Int64(place), atMost: 1000)
            #expect(part == Array(bytes[place..<place + 1000]))
        }
        gates.1.open()
        #expect(all[4].reader.read(from: 250_000, atMost: 1000) == Array(bytes[250_000..<251_000]))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [true, false]) func readersFarApartTakeTurns(isCached: Bool) throws {
        let server = try ScriptedServer { [bytes, headers] request in
            Scripts.part(of: bytes, request, headers: headers)
        }
        var settings = LoaderSettings.quick
        settings.nearBytes = 4096
        let loader = loader(isCached, settings)
        defer { loader.stop() }
        let all = (0..<6).map { _ in Listening(loader, server.url("/a.mp3"), []) }
        DispatchQueue.concurrentPerform(iterations: all.count) { [bytes, sources = all.map(\.source)] index in
            let place = index * 50_000
            let part = SourceReader(sources[index]).read(from: Int64(place), atMost: 50_000, chunk: 3000)
            #expect(difference(part, Array(bytes[place..<place + 50_000])) == nil)
        }
    }

    @Test func whoeverWaitsElsewhereDoesNotWaitForAServerThatStalls() throws {
        let server = try ScriptedServer { [bytes, headers] request in
            let isFirst = request.index == 0
            let steps = Scripts.part(of: bytes, request, headers: headers, limit: isFirst ? 30_000 : .max)
            return isFirst ? steps + [.hold] : steps
        }
        let loader = loader(true)
        defer { loader.stop() }
        let first = Listening(loader, server.url("/a.mp3"), [])
        #expect(first.reader.read(from: 0, atMost: 30_000).count == 30_000)
        let other = Listening(loader, server.url("/a.mp3"), [])
        #expect(other.reader.read(from: 280_000, atMost: 20_000) == Array(bytes[280_000...]))
        // And then the first one's turn comes, too.
        #expect(difference(first.whole(), bytes) == nil)
    }

    @Test func bytesNearByAreWaitedForAndOthersAskedFor() throws {
        let block = Scripts.bytes(65_521)
        var long: [UInt8] = []
        for _ in 0..<90 { long += block }
        let server = try ScriptedServer { [headers, long] request in
            let steps = Scripts.part(
                of: long, request, headers: headers, limit: request.index == 0 ? 100_000 : .max)
            return request.index == 0 ? steps + [.hold] : steps
        }
        let loader = loader(true)
        defer { loader.stop() }
        let item = Listening(loader, server.url("/a.mp3"), [])
        #expect(item.reader.read(from: 0, atMost: 90_000).count == 90_000)
        // Nearer than any request is worth; it comes.
        #expect(item.reader.read(from: 99_000, atMost: 1000) == Array(long[99_000..<100_000]))
        #expect(server.requests.count == 1)
        // Farther than anybody would wait for.
        #expect(item.reader.read(from: 5_000_000, atMost: 1000) == Array(long[5_000_000..<5_001_000]))
        #expect(server.requests.contains { $0.headers["range"]?.hasPrefix("bytes=5000000-") == true })
    }

    @Test func aTransferThatDoesNotKeepItsWordIsLeft() throws {
        let server = try ScriptedServer { [bytes, headers] request in
            let isFirst = request.index == 0
            let steps = Scripts.part(of: bytes, request, headers: headers, limit: isFirst ? 100_000 : .max)
            return isFirst ? steps + [.hold] : steps
        }
        let loader = loader(true)
        defer { loader.stop() }
        let item = Listening(loader, server.url("/a.mp3"), [])
        #expect(item.reader.read(from: 0, atMost: 100_000).count == 100_000)
        // It is near, but it does not come.
        #expect(item.reader.read(from: 110_000, atMost: 1000) == Array(bytes[110_000..<111_000]))
        #expect(server.requests.contains { $0.headers["range"]?.hasPrefix("bytes=110000-") == true })
    }

    @Test func differentCredentialsShareNoTransfer() throws {
        let server = try ScriptedServer { request in
            let user = request.headers["authorization"] ?? "nobody"
            let bytes = Scripts.bytes(50_000, seed: UInt32(truncatingIfNeeded: user.utf8.count))
            return Scripts.part(of: bytes, request, headers: [("Cache-Control", "max-age=3600")])
        }
        let loader = loader(true)
        defer { loader.stop() }
        let all = [nil, "Bearer a", "Bearer secret"].map { value in
            Listening(loader, server.url("/a.mp3"), value.map { [("Authorization", $0)] } ?? [])
        }
        #expect(Set(all.map { $0.whole() }).count == 3)
        #expect(server.requests.count == 3)
    }

    @Test func eachListenerOfAStationHasAConnectionOfItsOwn() throws {
        let gate = Gate()
        let server = try ScriptedServer { [bytes] request in
            let head = ScriptedServer.Step.head(
                "ICY 200 OK", [("Content-Type", "audio/mpeg"), ("icy-name", "S")])
            let start = request.index * 100_000
            return [.wait(gate), head, .body(Array(bytes[start..<start + 60_000])), .hold]
        }
        let loader = loader(true)
        defer { loader.stop() }
        let all = (0..<2).map { _ in Listening(loader, server.url("/live"), []) }
        gate.open()
        let heard = all.map { $0.reader.read(from: 0, atMost: 60_000) }
        #expect(Set(heard) == [Array(bytes[..<60_000]), Array(bytes[100_000..<160_000])])
        #expect(server.requests.count == 2)
    }

    @Test func whatIsFetchedAheadIsLoadedUnread() throws {
        let gate = Gate()
        let server = try server(gate, after: 100_000)
        let loader = loader(true)
        defer { loader.stop() }
        let log = EventLog()
        let ahead = loader.open(url: server.url("/a.mp3"), purpose: .ahead, events: log.add)
        #expect(log.wait { $0.isInformation } != nil)
        // It is opened to be read before all of it is here.
        let item = Listening(loader, server.url("/a.mp3"), [])
        ahead.close()
        gate.open()
        #expect(difference(item.whole(), bytes) == nil)
        let next = loader.open(url: server.url("/b.mp3"), purpose: .ahead, events: log.add)
        #expect(log.wait { $0.progress?.isComplete == true } != nil)
        #expect(difference(Listening(loader, server.url("/b.mp3"), []).whole(), bytes) == nil)
        next.close()
        #expect(server.requests.count == 2)
    }

    @Test func aStationIsNotFetchedAhead() throws {
        let server = try ScriptedServer { [bytes] _ in
            [
                .head("ICY 200 OK", [("Content-Type", "audio/mpeg")]), .body(Array(bytes[..<30_000])), .hold,
            ]
        }
        let loader = loader(true)
        defer { loader.stop() }
        let log = EventLog()
        let ahead = loader.open(url: server.url("/live"), purpose: .ahead, events: log.add)
        // The connection is ended from this side: the next one is another.
        #expect(comesTrue { !server.requests.isEmpty && server.openConnections == 0 })
        ahead.close()
        #expect(log.all.allSatisfy { $0.failure == nil })
        let item = Listening(loader, server.url("/live"), [])
        #expect(item.reader.read(from: 0, atMost: 30_000).count == 30_000)
        #expect(server.requests.count == 2)
    }

    @Test func whatFailsFailsForAll() throws {
        let server = try ScriptedServer { _ in [.head("HTTP/1.1 404 Not Found", [("Content-Length", "0")])] }
        let loader = loader(true)
        defer { loader.stop() }
        let all = (0..<3).map { _ in Listening(loader, server.url("/a.mp3"), []) }
        for item in all {
            #expect(item.reader.failure(at: 0) != nil)
            #expect(item.log.wait { $0.failure != nil } != nil)
        }
    }

    @Test func whatIsHereToItsEndAndStaleIsAskedAboutByTheNext() throws {
        let server = try ScriptedServer { [bytes] request in
            let headers = [("ETag", "\"v1\""), ("Cache-Control", "max-age=0")]
            if request.headers["if-none-match"] != nil {
                return [.head("HTTP/1.1 304 Not Modified", headers)]
            }
            return Scripts.part(of: bytes, request, headers: headers)
        }
        let daemon = CachedLoader(folder.path + "/cache")
        let first = daemon.open(server.url("/a.mp3"))
        #expect(difference(first.whole(), bytes) == nil)
        #expect(first.waitUntilComplete())
        #expect(daemon.waitUntilKept(bytes.count))
        let second = daemon.open(server.url("/a.mp3"))
        #expect(difference(second.whole(), bytes) == nil)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\""])
    }
}
