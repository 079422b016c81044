import Base
import Support
import Testing

@testable import Loader

@Suite struct BrokenTransferTests {
    private let bytes = Scripts.bytes(300_000)

    @Test func aFileThatBreaksOffIsResumedAtTheMissingByte() throws {
        let server = try ScriptedServer { [bytes] request in
            let etag = [("ETag", "\"v1\"")]
            return switch request.index {
            case 0: Scripts.part(of: bytes, request, headers: etag, limit: 100_000)
            case 1: Scripts.part(of: bytes, request, headers: etag, limit: 50_000) + [.reset]
            case 2: [.head("HTTP/1.1 503 Busy")]
            default: Scripts.part(of: bytes, request, headers: etag)
            }
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
        #expect(opened.log.all.contains { $0.attempt == 1 })
        #expect(opened.failureNow == nil)
        for request in server.requests.dropFirst() { #expect(request.headers["if-range"] == "\"v1\"") }
        #expect(server.requests[1].rangeStart == 100_000)
    }

    @Test func withoutRangesItIsReadOnFromTheStartAndNothingComesTwice() throws {
        let server = try ScriptedServer { [bytes] request in
            Scripts.plain(bytes, limit: request.index < 2 ? 100_000 * (request.index + 1) : .max)
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.count == 3)
    }

    /// What a server does wrong to a request for a part, to some or to all of them.
    @Test(arguments: ["busy at first", "hangs up on parts", "busy for all parts", "resets at first"])
    func whatIsCutAgainBeforeThePlaceIsAskedForOtherwise(kind: String) throws {
        let server = try ScriptedServer { [bytes] request in
            guard let start = request.rangeStart else { return Scripts.plain(bytes, limit: 120_000) }
            return switch kind {
            case "busy at first" where request.index == 0: [.head("HTTP/1.1 503 Busy")]
            case "resets at first" where request.index == 0: [.reset]
            case "hangs up on parts" where request.index < 4: []
            case "busy for all parts" where start < 120_000: [.head("HTTP/1.1 500 Never")]
            default: Scripts.part(of: bytes, request, limit: 50_000)
            }
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
    }

    @Test func aServerThatGivesNoPartsIsReadFromTheStartHoweverItRefusesThem() throws {
        for refusal in [[], [.reset], [.head("HTTP/1.1 500 Never")]] as [[ScriptedServer.Step]] {
            let server = try ScriptedServer { [bytes] request in
                request.rangeStart != nil ? refusal : Scripts.plain(bytes, limit: 60_000 * request.index)
            }
            let opened = Opened(server.url("/a.mp3"))
            #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
            #expect(opened.reader.isEnd(at: 300_000))
        }
    }

    @Test func aSilentConnectionIsDeadAfterAWhile() throws {
        let server = try ScriptedServer { [bytes] request in
            request.index == 0
                ? Scripts.part(of: bytes, request, limit: 90_000) + [.hold] : Scripts.part(of: bytes, request)
        }
        let opened = Opened(server.url("/a.mp3"), .impatient)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.map { $0.rangeStart }.starts(with: [0, 90_000]))
    }

    @Test(arguments: ["/short", "/chunks"])
    func whatCannotBeCompletedIsPlayedToItsEndAndThenIncomplete(path: String) throws {
        let server = try ScriptedServer { [bytes] request in
            guard path == "/chunks" else { return Scripts.plain(bytes, limit: 150_000) }
            let head = ScriptedServer.Step.head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")])
            return [head, .chunks([Array(bytes[..<150_000])], last: false)]
        }
        let opened = Opened(server.url(path))
        #expect(difference(opened.reader.read(from: 0, atMost: 1000), Array(bytes[..<1000])) == nil)
        #expect(opened.log.wait { $0.progress?.isComplete == true } != nil)
        #expect(opened.failureNow == nil)
        #expect(difference(opened.reader.read(from: 1000, atMost: .max), Array(bytes[1000..<150_000])) == nil)
        #expect(opened.failure?.code == .incomplete)
        #expect(opened.reader.failure(at: 150_000) == opened.failure)
        #expect(opened.log.all.filter { $0.failure != nil }.count == 1)
    }

    @Test func anotherVersionIsNeverSpliced() throws {
        let other = Scripts.bytes(300_000, seed: 9)
        for isHonest in [true, false] {
            let server = try ScriptedServer { [bytes] request in
                if request.index == 0 {
                    return Scripts.part(of: bytes, request, headers: [("ETag", "\"v1\"")], limit: 40_000) + [
                        .reset
                    ]
                }
                if isHonest, request.headers["if-range"] == "\"v1\"" {
                    return [
                        .head("HTTP/1.1 200 OK", [("ETag", "\"v2\""), ("Content-Length", "300000")]),
                        .body(other),
                    ]
                }
                return Scripts.part(of: other, request, headers: [("ETag", "\"v2\"")])
            }
            let opened = Opened(server.url("/a.mp3"))
            let got = opened.reader.read(from: 0, atMost: .max)
            #expect(got == Array(bytes.prefix(got.count)) && got.count <= 40_000 || got == other)
            if got != other { #expect(opened.failure?.code == .incomplete) }
        }
    }

    @Test func anotherVersionBeforeAnythingWasReadStartsOver() throws {
        let other = Scripts.bytes(200_000, seed: 9)
        let server = try ScriptedServer { [bytes] request in
            request.index == 0
                ? Scripts.part(of: bytes, request, headers: [("ETag", "\"v1\"")], limit: 40_000) + [.reset]
                : Scripts.part(of: other, request, headers: [("ETag", "\"v2\"")])
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(
            opened.log.wait { if case .information(let i) = $0 { i.length == 200_000 } else { false } } != nil
        )
        #expect(difference(opened.reader.read(from: 0, atMost: .max), other) == nil)
    }

    @Test func theLengthIsNeverAskedBeyond() throws {
        let server = try ScriptedServer { [bytes] request in
            (request.rangeStart ?? 0) >= bytes.count
                ? [.head("HTTP/1.1 500 No")] : Scripts.part(of: bytes, request)
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(opened.reader.isEnd(at: 400_000) || opened.reader.read(from: 0, atMost: .max) == bytes)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
        #expect(server.requests.allSatisfy { ($0.rangeStart ?? 0) < 300_000 })
    }

    @Test(arguments: ["/416", "/empty", "/204"])
    func nothingInItIsEmptyAndAskedForOnce(path: String) throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/416": [.head("HTTP/1.1 416 x", [("Content-Range", "bytes */0"), ("Content-Length", "0")])]
            case "/204": [.head("HTTP/1.1 204 No Content")]
            default: [.head("HTTP/1.1 200 OK", [("Content-Length", "0")])]
            }
        }
        let opened = Opened(server.url(path))
        #expect(opened.failure?.code == .empty)
        #expect(opened.reader.failure(at: 0)?.code == .empty)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("HTTP/1.1 401 x", PlaybackFailure.Code.unauthorized), ("HTTP/1.1 403 x", .forbidden),
        ("HTTP/1.1 404 x", .notFound), ("HTTP/1.1 410 x", .gone), ("HTTP/1.1 500 x", .httpError),
    ])
    func aRefusalEndsItWithItsCodeAndTheMaskedURL(status: String, code: PlaybackFailure.Code) throws {
        let server = try ScriptedServer { _ in
            [.head(status, [("Content-Type", "text/html")]), .body(Array("no".utf8))]
        }
        let opened = Opened(server.url("/a.mp3?token=geheim"))
        let failure = opened.failure
        #expect(failure?.code == code)
        #expect(failure?.message.contains("http://\(server.address)/a.mp3?token=***") == true)
        #expect(opened.source.information == nil)
    }

    @Test func connectionsThatCannotBeMadeSayWhy() throws {
        let server = try ScriptedServer { _ in [.hold] }
        let closed = try ScriptedServer { _ in [] }
        closed.stop()
        let label = String(repeating: "a", count: 64)
        #expect(Opened(closed.url("/")).failure?.code == .unreachable)
        #expect(Opened("http://\(label).invalid/a").failure?.code == .noSuchHost)
        #expect(Opened(server.url("/"), .impatient).failure?.code == .timeout)
        let talker = try ScriptedServer { _ in [] }
        #expect(Opened(talker.url("/")).failure?.code == .unreachable)
        let plain = try ScriptedServer { _ in [.head("HTTP/1.1 400 Bad Request")] }
        #expect(Opened("http://\(plain.address):x/").failure?.code == .unsupportedFormat)
    }
}

extension Opened {
    /// The failure that was told so far.
    var failureNow: PlaybackFailure? { log.all.compactMap(\.failure).first }
}
