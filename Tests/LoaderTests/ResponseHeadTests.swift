import Base
import Testing

@testable import Loader

/// Reads a head from its lines.
func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines + [""] { _ = head.add(Array((line + "\r\n").utf8)) }
    return head
}

@Suite struct ResponseHeadTests {
    @Test(arguments: [
        ("bytes 0-99/100", ResponseHead.ContentRange(bytes: 0...99, total: 100)),
        ("bytes 0-1/*", .init(bytes: 0...1, total: nil)), ("bytes */100", .init(bytes: nil, total: 100)),
        ("Bytes=5-9/10", .init(bytes: 5...9, total: 10)), ("bytes 5-9/7", .init(bytes: 5...9, total: nil)),
        ("bytes 9-5/10", nil), ("bytes -5/10", nil), ("bytes 0-9", nil), ("bytes 0-9/x", nil),
        ("items 0-9/10", nil),
        ("bytes 0-9223372036854775807/9223372036854775807", nil),
        ("bytes 0-9223372036854775806/9223372036854775807", .init(bytes: 0...(.max - 1), total: .max)),
        ("bytes 0-99999999999999999999/*", nil), ("", nil), ("bytes", nil), ("bytes //", nil),
    ])
    func contentRangesAreReadOrRefused(value: String, expected: ResponseHead.ContentRange?) {
        #expect(head("HTTP/1.1 206 x", "Content-Range: \(value)").contentRange == expected)
    }

    private static let lengths: [([String], Int64?)] = [
        (["Content-Length: 12"], 12), (["Content-Length: 9223372036854775807"], nil),
        (["Content-Length: -1"], nil), (["Content-Length: 99999999999999999999"], nil), ([], nil),
        (["Content-Length: 12", "Content-Encoding: gzip"], nil),
        (["content-length:12", "Content-Encoding: identity"], 12),
        (["Content-Length: 12", "Transfer-Encoding: chunked"], nil),
    ]

    @Test(arguments: lengths)
    func lengthsThatCannotBeAreNone(lines: [String], length: Int64?) {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200 OK"] + lines + [""] { _ = head.add(Array((line + "\r\n").utf8)) }
        #expect(head.contentLength == length)
    }

    @Test func interimResponsesAndTrailersAreNotTheHead() {
        var head = head(
            "HTTP/1.1 103 Early Hints", "X: 1", "", "HTTP/1.1 200 OK", "Content-Type: Audio/MPEG; x=y")
        #expect(head.status == 200)
        #expect(head["x"] == nil)
        #expect(head.contentType == "audio/mpeg")
        _ = head.add(Array("Content-Type: text/html\r\n".utf8))
        #expect(head.contentType == "audio/mpeg")
    }

    @Test func anICYStatusLineIsTwoHundredAndLive() {
        let head = head("ICY 200 OK", "icy-name:R\u{e4}dio", "icy-br: 128,128", "icy-metaint:8192")
        #expect(head.status == 200)
        #expect(head.isLive)
        #expect(head.metadataInterval == 8192)
        #expect(head.station(.latin1) == StationInformation(name: "Rädio", bitrate: 128_000))
    }

    private static let kinds: [([String], Bool)] = [
        (["Content-Length: 5"], false), (["icy-name: x"], true),
        (["icy-name: x", "Content-Length: 5"], false),
        (["Server: Icecast 2.4.4"], true), (["Server: nginx"], false),
        (["Server: Icecast 2.4.4", "Content-Type: audio/x-mpegurl"], false),
        (["Server: Icecast 2.4.4", "Content-Type: application/xspf+xml"], false),
        (["Content-Type: audio/x-scpls", "icy-name: x"], true),
        (["icy-metaint: 16000", "Content-Length: 5"], true), (["icy-metaint: 0"], false),
        (["Content-Length: 9223372036854775807"], true), (["icy-metaint: 16000, 16000"], true),
        (["icy-metaint: -1"], false), (["icy-metaint: 99999999999999999999"], false),
        (["icy-metaint: x"], false),
    ]

    @Test(arguments: kinds)
    func liveStreamsAreToldFromFiles(lines: [String], isLive: Bool) {
        var head = ResponseHead()
        for line in ["HTTP/1.0 200 OK"] + lines + [""] { _ = head.add(Array((line + "\r\n").utf8)) }
        #expect(head.isLive == isLive)
    }

    private static let patience: [(String?, Duration?)] = [
        (nil, nil), ("120", .seconds(120)), ("0", .zero), ("-1", nil), ("soon", nil), ("", nil),
        ("Fri, 31 Dec 1999 23:59:59 GMT", .seconds(59)), ("Fri, 31 Dec 1999 23:58:00 GMT", .zero),
        ("99999999999999999999", nil),
    ]

    @Test(arguments: patience)
    func howLongAServerWantsToBeLeftAlone(value: String?, patience: Duration?) {
        let lines = value.map { "Retry-After: \($0)" } ?? "X: y"
        #expect(head("HTTP/1.1 503 x", lines).retryAfter(now: 946_684_740) == patience)
    }

    @Test func hugeHeadsAreRefusedAndOddOnesKeptSmall() {
        var head = ResponseHead()
        _ = head.add(Array("HTTP/1.1 200 OK\r\n".utf8))
        var taken = head.add(Array("icy-name: \(String(repeating: "x", count: 20_000))\r\n".utf8))
        #expect(taken)
        #expect(head["icy-name"] == nil)
        for index in 0..<4000 where taken {
            taken = head.add(Array("X-\(index): \(String(repeating: "y", count: 100))\r\n".utf8))
        }
        #expect(!taken)
        for junk in ["HTTP/", "ICY ", ":", "HTTP/1.1 99999999999999999999", "\u{0}"] {
            var head = ResponseHead()
            _ = head.add(Array(junk.utf8))
            _ = head.add([])
        }
    }
}
