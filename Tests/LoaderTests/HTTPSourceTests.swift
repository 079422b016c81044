import Base
import Support
import Testing

@testable import Loader

@Suite struct HTTPSourceTests {
    private let bytes = Scripts.bytes(300_000)

    /// A window that does not hold the whole file.
    private var small: LoaderSettings {
        var settings = LoaderSettings.quick
        settings.windowBytes = 65_536
        settings.retainedBytes = 16_384
        settings.nearBytes = 16_384
        return settings
    }

    @Test func aFileComesWholeByOneRequest() throws {
        let server = try ScriptedServer(Scripts.file(bytes))
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
        let information = opened.source.information
        #expect(
            information
                == ContentInformation(
                    length: 300_000, contentType: "audio/mpeg", isSeekable: true,
                    place: ContentPlace(url: server.url("/a.mp3"), mayLeadToThisMachine: true)))
        let requests = server.requests
        #expect(requests.count == 1)
        #expect(requests.first?.method == "GET")
        #expect(requests.first?.headers["range"] == "bytes=0-")
        #expect(requests.first?.headers["icy-metadata"] == "1")
        #expect(requests.first?.headers["accept-encoding"] == "identity")
        #expect(opened.loader.receivedBytes >= 300_000)
        let kinds = opened.log.all
        #expect(kinds.first == .connecting)
        #expect(kinds.dropFirst().first?.isInformation == true)
        #expect(kinds.contains(.receiving))
        #expect(opened.log.wait { $0.progress?.isComplete == true } != nil)
    }

    @Test func aFileLargerThanTheWindowIsHeldBackUntilItIsRead() throws {
        let large = Scripts.bytes(1_000_000)
        let server = try ScriptedServer(Scripts.file(large))
        let opened = Opened(server.url("/a.mp3"), small)
        #expect(difference(opened.reader.read(from: 0, atMost: 1000), Array(large[..<1000])) == nil)
        #expect(opened.source.bytesAvailable(from: 0) <= 65_536)
        #expect(
            difference(opened.reader.read(from: 1000, atMost: .max, chunk: 10_000), Array(large[1000...]))
                == nil)
        #expect(opened.source.bytesAvailable(from: 0) == 0)
        #expect(server.requests.count == 1)
    }

    @Test func aSeekFetchesOneRangeAndASmallStepBackNothing() throws {
        let server = try ScriptedServer { [bytes] request in
            Scripts.part(of: bytes, request, headers: [("ETag", "\"v1\"")], limit: 100_000) + [.hold]
        }
        let opened = Opened(server.url("/a.mp3"), small)
        #expect(difference(opened.reader.read(from: 0, atMost: 5000), Array(bytes[..<5000])) == nil)
        #expect(
            difference(opened.reader.read(from: 200_000, atMost: 50_000), Array(bytes[200_000..<250_000]))
                == nil)
        #expect(difference(opened.reader.read(from: 240_000, atMost: .max), Array(bytes[240_000...])) == nil)
        #expect(server.requests.map { $0.headers["range"] } == ["bytes=0-", "bytes=200000-"])
        #expect(server.requests.last?.headers["if-range"] == "\"v1\"")
        #expect(difference(opened.reader.read(from: 10, atMost: 90), Array(bytes[10..<100])) == nil)
        #expect(server.requests.count == 3)
    }

    @Test func aRangeThatIsIgnoredIsSkippedTo() throws {
        let server = try ScriptedServer { [bytes] _ in Scripts.plain(bytes) }
        let opened = Opened(server.url("/a.mp3"), small)
        #expect(difference(opened.reader.read(from: 0, atMost: 1000), Array(bytes[..<1000])) == nil)
        #expect(opened.source.information?.isSeekable == false)
        #expect(
            difference(opened.reader.read(from: 260_000, atMost: 1000), Array(bytes[260_000..<261_000]))
                == nil)
        #expect(
            difference(opened.reader.read(from: 60_000, atMost: 1000), Array(bytes[60_000..<61_000])) == nil)
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
    }

    @Test func anAnswerOfLessThanWasAskedIsAskedOn() throws {
        let server = try ScriptedServer { [bytes] request in
            let start = request.rangeStart ?? 0
            let end = min(bytes.count, start + 100_000)
            return [
                .head(
                    "HTTP/1.1 206 Partial Content",
                    [
                        ("Content-Range", "bytes \(start)-\(end - 1)/\(bytes.count)"),
                        ("Content-Length", "\(end - start)"),
                    ]),
                .body(Array(bytes[start..<end])),
            ]
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
        #expect(server.requests.map { $0.rangeStart } == [0, 100_000, 200_000])
    }

    @Test func anUnknownTotalIsLegal() throws {
        let server = try ScriptedServer { [bytes] request in
            let start = request.rangeStart ?? 0
            guard start < bytes.count else { return Scripts.part(of: bytes, request) }
            return [
                .head(
                    "HTTP/1.1 206 Partial Content", [("Content-Range", "bytes \(start)-\(bytes.count - 1)/*")]
                ),
                .body(Array(bytes[start...])),
            ]
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.reader.isEnd(at: 300_000))
        #expect(opened.source.information?.length == 300_000)
    }

    @Test func aPartWithoutItsPlaceIsAskedForWhole() throws {
        let server = try ScriptedServer { [bytes] request in
            guard let start = request.rangeStart else { return Scripts.plain(bytes) }
            return [
                .head("HTTP/1.1 206 Partial Content", [("Content-Length", "\(bytes.count - start)")]),
                .body(Array(bytes[start...])),
            ]
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(opened.source.information?.length == 300_000)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [0, 90_000, 210_000])
    func aPartFromElsewhereIsPutWhereItBelongs(shift: Int) throws {
        let server = try ScriptedServer { [bytes] request in
            guard let start = request.rangeStart, start > 0 else { return Scripts.part(of: bytes, request) }
            return [
                .head(
                    "HTTP/1.1 206 x", [("Content-Range", "bytes \(shift)-\(bytes.count - 1)/\(bytes.count)")]),
                .body(Array(bytes[shift...])),
            ]
        }
        let opened = Opened(server.url("/a.mp3"), small)
        #expect(difference(opened.reader.read(from: 0, atMost: 10), Array(bytes[..<10])) == nil)
        #expect(opened.reader.read(from: 200_000, atMost: 1000).count == 1000)
        #expect(difference(opened.reader.read(from: 200_000, atMost: .max), Array(bytes[200_000...])) == nil)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request", "HTTP/1.1 403 No", "HTTP/1.1 500 Oops", "HTTP/1.1 416 x"])
    func aServerThatRefusesRangesIsAskedWithout(status: String) throws {
        let server = try ScriptedServer { [bytes] request in
            guard request.rangeStart != nil else { return Scripts.plain(bytes) }
            return [.head(status, [("Content-Length", "0"), ("Content-Range", "bytes */\(bytes.count)")])]
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func aServerThatHangsUpOnRangesIsAskedWithout() throws {
        let server = try ScriptedServer { [bytes] request in
            request.rangeStart != nil ? [] : Scripts.plain(bytes)
        }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil)
        #expect(server.requests.count == 2)
    }

    @Test func bodiesWithoutALengthEndWhereTheyEnd() throws {
        let parts = stride(from: 0, to: bytes.count, by: 7000).map {
            Array(bytes[$0..<min(bytes.count, $0 + 7000)])
        }
        let server = try ScriptedServer { [bytes] request in
            switch request.path {
            case "/close": [.head("HTTP/1.0 200 OK", [("Content-Type", "audio/mpeg")]), .body(bytes)]
            case "/chunked": [.head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")]), .chunks(parts)]
            case "/zero": [.body(bytes)]
            case "/bad": [.head("HTTP/1.1 200 OK", [("Content-Length", "many")]), .body(bytes)]
            default:
                [.head("HTTP/1.1 200 OK", [("Content-Length", "99999999999999999999999")]), .body(bytes)]
            }
        }
        for path in ["/close", "/chunked", "/zero", "/bad"] {
            let opened = Opened(server.url(path))
            #expect(difference(opened.reader.read(from: 0, atMost: .max), bytes) == nil, "\(path)")
            #expect(opened.reader.isEnd(at: 300_000), "\(path)")
            #expect(opened.source.information?.length == 300_000, "\(path)")
            #expect(opened.source.information?.isLive == false)
        }
    }

    @Test func aBodyThatIsCompressedUnaskedIsDecoded() throws {
        // gzip of "hello\n".
        let zipped: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7, 2, 0, 0x20, 0x30, 0x3a,
            0x36, 6, 0, 0, 0,
        ]
        let server = try ScriptedServer { request in
            let headers = [("Content-Encoding", "gzip"), ("Content-Length", "\(zipped.count)")]
            guard request.path == "/part" else { return [.head("HTTP/1.1 200 OK", headers), .body(zipped)] }
            let range = ("Content-Range", "bytes 0-\(zipped.count - 1)/\(zipped.count)")
            return [.head("HTTP/1.1 206 x", headers + [range]), .body(zipped)]
        }
        for path in ["/whole", "/part"] {
            let opened = Opened(server.url(path))
            #expect(difference(opened.reader.read(from: 0, atMost: .max), Array("hello\n".utf8)) == nil)
            #expect(opened.reader.isEnd(at: 6))
        }
        // curl itself asks again where a connection that it meant to use once more was just closed.
        #expect(server.requests.count >= 2)
    }

    @Test func closingEndsTheTransferAndReadsFail() throws {
        let server = try ScriptedServer { _ in [.head("HTTP/1.0 200 OK"), .body([1, 2, 3]), .hold] }
        let opened = Opened(server.url("/a.mp3"))
        #expect(difference(opened.reader.read(from: 0, atMost: 3), [1, 2, 3]) == nil)
        opened.source.close()
        #expect(opened.reader.failure(at: 0)?.code == .internal)
        opened.source.close()
    }

    @Test func manyAtATimeDoNotMixUp() throws {
        let server = try ScriptedServer { request in
            let seed = UInt32(request.path.dropFirst()) ?? 0
            return Scripts.part(of: Scripts.bytes(100_000, seed: seed), request)
        }
        let loader = Loader(.quick)
        let sources = (1...8).map { loader.open(url: server.url("/\($0)")) { _ in } }
        for (index, source) in sources.enumerated() {
            let expected = Scripts.bytes(100_000, seed: UInt32(index + 1))
            #expect(difference(SourceReader(source).read(from: 0, atMost: .max), expected) == nil)
        }
        loader.stop()
    }
}
