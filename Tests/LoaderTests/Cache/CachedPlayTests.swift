import Base
import Foundation
import Support
import Testing

@testable import Loader

@Suite struct CachedPlayTests {
    private let bytes = Scripts.bytes(300_000)
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/cache" }

    init() throws { folder = try TemporaryFolder() }

    private func server(_ headers: [(String, String)]) throws -> ScriptedServer {
        try ScriptedServer { [bytes] request in
            if let etag = request.headers["if-none-match"], headers.contains(where: { $0.1 == etag }) {
                return [.head("HTTP/1.1 304 Not Modified", headers)]
            }
            return Scripts.part(of: bytes, request, headers: headers)
        }
    }

    @Test func aSecondPlayOfWhatIsFreshAsksNobodyAlsoAfterARestart() throws {
        let server = try server([("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        for round in 0..<3 {
            let daemon = CachedLoader(path)
            let first = daemon.open(server.url("/a.mp3"))
            #expect(difference(first.whole(), bytes) == nil)
            #expect(first.reader.isEnd(at: 300_000))
            #expect(first.waitUntilComplete())
            #expect(first.source.information?.length == 300_000)
            #expect(server.requests.count == 1, "round \(round)")
            #expect(round == 0 || daemon.loader.receivedBytes == 0)
            daemon.stop()
        }
    }

    @Test func whatIsStaleIsAskedAboutOnceByACondition() throws {
        let server = try server([("Cache-Control", "max-age=0"), ("ETag", "\"v1\"")])
        for round in 0..<3 {
            let daemon = CachedLoader(path)
            let opened = daemon.open(server.url("/a.mp3"))
            #expect(difference(opened.whole(), bytes) == nil)
            #expect(opened.waitUntilComplete())
            #expect(server.requests.count == round + 1)
            daemon.stop()
        }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test func aServerThatIsBusyForAMomentIsAskedOnceMoreBeforeWhatIsStaleIsPlayed() throws {
        let other = Scripts.bytes(280_000, seed: 7)
        let server = try ScriptedServer { [bytes] request in
            let headers = [("ETag", "\"v\(min(request.index, 1))\""), ("Cache-Control", "max-age=0")]
            return switch request.index {
            case 0: Scripts.part(of: bytes, request, headers: headers)
            case 1: [.head("HTTP/1.1 503 Busy")]
            default: Scripts.part(of: other, request, headers: headers)
            }
        }
        for expected in [bytes, other] {
            let daemon = CachedLoader(path)
            let opened = daemon.open(server.url("/a.mp3"))
            #expect(difference(opened.whole(), expected) == nil)
            #expect(opened.waitUntilComplete())
            daemon.stop()
        }
        #expect(server.requests.count == 3)
    }

    @Test func aChangedResourceIsFetchedAnewByThatOneRequest() throws {
        let other = Scripts.bytes(280_000, seed: 7)
        let server = try ScriptedServer { [bytes] request in
            let headers = [("ETag", "\"v\(min(request.index, 1))\""), ("Cache-Control", "max-age=0")]
            if request.index > 0, request.headers["if-none-match"] == "\"v1\"" {
                return [.head("HTTP/1.1 304 Not Modified", headers)]
            }
            return Scripts.part(of: request.index == 0 ? bytes : other, request, headers: headers)
        }
        for (round, expected) in [bytes, other, other].enumerated() {
            let daemon = CachedLoader(path)
            let opened = daemon.open(server.url("/a.mp3"))
            #expect(difference(opened.whole(), expected) == nil)
            #expect(opened.waitUntilComplete())
            #expect(server.requests.count == round + 1)
            daemon.stop()
        }
    }

    @Test func aServerThatGavePartsOfOneVersionIsAskedForPartsOfTheNext() throws {
        let other = Scripts.bytes(280_000, seed: 7)
        let server = try ScriptedServer { [bytes] request in
            let headers = [("ETag", "\"v\(min(request.index, 1))\""), ("Cache-Control", "max-age=0")]
            if request.index == 0 {
                return Scripts.part(of: bytes, request, headers: headers, limit: 150_000) + [.hold]
            }
            // All of the other one, since no part of the first is left; it says no word of ranges, and breaks off.
            guard request.index == 1 else { return Scripts.part(of: other, request, headers: headers) }
            return [
                .head("HTTP/1.1 200 OK", headers + [("Content-Length", "\(other.count)")]),
                .body(Array(other[..<100_000])),
            ]
        }
        let first = CachedLoader(path)
        let part = first.open(server.url("/a.mp3"))
        #expect(part.reader.read(from: 0, atMost: 150_000).count == 150_000)
        first.stop()
        let second = CachedLoader(path)
        #expect(difference(second.open(server.url("/a.mp3")).whole(), other) == nil)
        #expect(
            server.requests.map { $0.headers["range"] } == ["bytes=0-", "bytes=150000-", "bytes=100000-"])
    }

    @Test func whatIsMissingIsFetchedByOneRangeAndOnlyThat() throws {
        let server = try ScriptedServer { [bytes] request in
            let headers = [("ETag", "\"v1\""), ("Cache-Control", "max-age=3600")]
            // The first time the connection hangs after a part.
            let limit = request.index == 0 ? 150_000 : Int.max
            let steps = Scripts.part(of: bytes, request, headers: headers, limit: limit)
            return request.index == 0 ? steps + [.hold] : steps
        }
        let first = CachedLoader(path)
        let part = first.open(server.url("/a.mp3"))
        #expect(difference(part.reader.read(from: 0, atMost: 150_000), Array(bytes[..<150_000])) == nil)
        first.stop()
        let second = CachedLoader(path)
        #expect(difference(second.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(server.requests.map { $0.headers["range"] } == ["bytes=0-", "bytes=150000-"])
        #expect(server.requests.last?.headers["if-range"] == "\"v1\"")
        #expect(second.loader.receivedBytes < 152_000)
    }

    @Test func seeksIntoWhatIsHereCostNothingAndGapsOnlyTheirBytes() throws {
        let server = try ScriptedServer { [bytes] request in
            Scripts.part(
                of: bytes, request, headers: [("ETag", "\"v1\""), ("Cache-Control", "max-age=3600")],
                limit: 100_000) + [.hold]
        }
        var settings = LoaderSettings.quick
        settings.nearBytes = 16_384
        settings.fills = false
        let daemon = CachedLoader(path, settings: settings)
        let item = daemon.open(server.url("/a.mp3"))
        #expect(difference(item.reader.read(from: 0, atMost: 90_000), Array(bytes[..<90_000])) == nil)
        #expect(
            difference(item.reader.read(from: 200_000, atMost: 90_000), Array(bytes[200_000..<290_000]))
                == nil)
        for place in [0, 50_000, 210_000, 10, 280_000] {
            #expect(
                difference(
                    item.reader.read(from: Int64(place), atMost: 1000), Array(bytes[place..<place + 1000]))
                    == nil)
        }
        #expect(server.requests.count == 2)
        #expect(
            difference(item.reader.read(from: 120_000, atMost: 80_000), Array(bytes[120_000..<200_000]))
                == nil)
        #expect(server.requests.last?.headers["range"] == "bytes=120000-199999")
    }

    @Test func aRottenBlockIsFetchedAgainAndNeverHeard() throws {
        let server = try server([("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        let first = CachedLoader(path)
        #expect(difference(first.open(server.url("/a.mp3")).whole(), bytes) == nil)
        first.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        let data = try #require(names.first { $0.hasSuffix(".data") })
        let handle = try #require(FileHandle(forUpdatingAtPath: path + "/" + data))
        try handle.seek(toOffset: 100_000)
        try handle.write(contentsOf: [bytes[100_000] ^ 1])
        try handle.close()
        let second = CachedLoader(path)
        let item = second.open(server.url("/a.mp3"))
        #expect(difference(item.whole(), bytes) == nil)
        #expect(server.requests.count == 2)
        #expect(second.loader.receivedBytes < 70_000)
        second.stop()
        let third = CachedLoader(path)
        #expect(difference(third.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func twoSetsOfCredentialsShareNothingAndNoSecretIsOnDisk() throws {
        let server = try ScriptedServer { request in
            let user = request.headers["authorization"] ?? request.headers["x-token"] ?? "nobody"
            return Scripts.part(
                of: Scripts.bytes(50_000, seed: UInt32(truncatingIfNeeded: user.hashValue)), request,
                headers: [("Cache-Control", "max-age=3600")])
        }
        let daemon = CachedLoader(path)
        let url = server.url("/a.mp3?token=querysecret")
        let all = [[], [("Authorization", "Bearer headersecret")], [("X-Token", "othersecret")]].map {
            daemon.open(url, headers: $0).whole()
        }
        let login = daemon.open("http://name:passsecret@\(server.address)/a.mp3?token=querysecret").whole()
        #expect(Set(all + [login]).count == 4)
        #expect(server.requests.count == 4)
        #expect(daemon.entries.count == 4)
        #expect(daemon.entries.allSatisfy { $0.url == server.url("/a.mp3?token=***") })
        daemon.stop()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix(".data") {
            let text = String(
                decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
            #expect(!text.contains("secret") && !name.contains("secret"))
            let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func noStoreIsObeyed() throws {
        let server = try server([("Cache-Control", "no-store")])
        let daemon = CachedLoader(path)
        #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(difference(daemon.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(daemon.entries.isEmpty)
        #expect(server.requests.count == 2)
    }

    @Test func twoDaemonsExcludeEachOtherAndTheSecondPlaysWithoutACache() throws {
        let server = try server([("Cache-Control", "max-age=3600")])
        let first = CachedLoader(path)
        #expect(difference(first.open(server.url("/a.mp3")).whole(), bytes) == nil)
        let second = CachedLoader(path, waitsForFolder: false)
        #expect(difference(second.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(second.status.error?.hasPrefix("Another daemon uses the cache in") == true)
        #expect(server.requests.count == 2)
        first.stop()
        // The first is gone: the second takes over.
        #expect(difference(second.open(server.url("/a.mp3")).whole(), bytes) == nil)
        #expect(second.status.error == nil)
        #expect(server.requests.count == 2)
    }

    @Test func offlineOnlyWhatIsHereIsPlayed() throws {
        let server = try server([("Cache-Control", "no-cache"), ("ETag", "\"v1\"")])
        let first = CachedLoader(path)
        #expect(difference(first.open(server.url("/a.mp3")).whole(), bytes) == nil)
        first.stop()
        var settings = LoaderSettings.quick
        settings.isOffline = true
        let second = CachedLoader(path, settings: settings)
        #expect(difference(second.open(server.url("/a.mp3")).whole(), bytes) == nil)
        let other = second.open(server.url("/b.mp3"))
        #expect(other.reader.failure(at: 0)?.code == .offline)
        #expect(server.requests.count == 1)
    }

    @Test func aServerThatCannotBeAskedDoesNotKeepWhatIsHereFromBeingPlayed() throws {
        let server = try server([("Cache-Control", "max-age=0"), ("ETag", "\"v1\"")])
        let url = server.url("/a.mp3")
        let first = CachedLoader(path)
        #expect(difference(first.open(url).whole(), bytes) == nil)
        first.stop()
        server.stop()
        let second = CachedLoader(path)
        #expect(difference(second.open(url).whole(), bytes) == nil)
    }

    @Test(arguments: [DiskFaults.Operation.open, .read, .write, .sync])
    func aFailingDiskCostsNothingButTheCache(operation: DiskFaults.Operation) throws {
        let server = try server([("Cache-Control", "max-age=3600"), ("ETag", "\"v1\"")])
        var faults = DiskFaults()
        faults.code = { $0 == operation ? ENOSPC : nil }
        let daemon = CachedLoader(path, faults: faults)
        for _ in 0..<2 {
            let item = daemon.open(server.url("/a.mp3"))
            #expect(difference(item.whole(), bytes) == nil)
            #expect(difference(item.reader.read(from: 1000, atMost: 1000), Array(bytes[1000..<2000])) == nil)
        }
        if operation != .read {
            #expect(daemon.statuses.wait { $0.error?.contains("is full") == true } != nil)
        }
    }
}
