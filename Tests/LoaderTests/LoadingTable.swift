import Base
import Support

@testable import Loader

/// A server's way to answer, and what must come of it.
struct LoadingRow: CustomStringConvertible, Sendable {
    /// What a reader gets.
    enum Outcome: Equatable, Sendable {
        case whole
        /// The whole, and then that there would have been more.
        case wholeThen(PlaybackFailure.Code)
        case failure(PlaybackFailure.Code)
        /// The whole as the start of something endless.
        case live
    }

    let description: String
    let outcome: Outcome
    /// Where the ranges begin that are asked for, in order; nil for requests without.
    let asked: [Int?]
    let script: ScriptedServer.Script

    init(
        _ description: String, gives outcome: Outcome = .whole, asked: [Int?] = [0],
        _ script: @escaping ScriptedServer.Script
    ) {
        self.description = description
        self.outcome = outcome
        self.asked = asked
        self.script = script
    }

    static let bytes = Scripts.bytes(200_000)
    static let count = bytes.count

    /// A whole body under a head of any kind.
    private static func whole(_ status: String, _ headers: [(String, String)] = []) -> ScriptedServer.Script {
        { _ in [.head(status, headers), .body(bytes)] }
    }

    /// The rest from a range's start on, under headers that `headers` makes of that start.
    private static func rest(
        _ headers: @escaping @Sendable (Int) -> [(String, String)]
    ) -> ScriptedServer.Script {
        { request in
            guard let start = request.rangeStart else { return Scripts.plain(bytes) }
            guard start < count else { return Scripts.part(of: bytes, request) }
            return [.head("HTTP/1.1 206 Partial Content", headers(start)), .body(Array(bytes[start...]))]
        }
    }

    /// What answers a range in that way, and serves well without one.
    private static func badWithRange(_ steps: ScriptedServer.Step...) -> ScriptedServer.Script {
        { request in request.rangeStart == nil ? Scripts.plain(bytes) : steps }
    }

    /// Half of it, cut, and from then on what `then` says.
    private static func cut(
        _ headers: [(String, String)] = [("ETag", "\"1\"")], then: @escaping ScriptedServer.Script
    ) -> ScriptedServer.Script {
        { request in
            request.index == 0
                ? Scripts.part(of: bytes, request, headers: headers, limit: count / 2) : then(request)
        }
    }

    private static func range(_ start: Int, _ total: String = "\(count)") -> (String, String) {
        ("Content-Range", "bytes \(start)-\(count - 1)/\(total)")
    }

    private static let half = count / 2
    private static let end = count

    // MARK: Ranges

    static let ranges: [LoadingRow] = [
        LoadingRow("200 to a range", whole("HTTP/1.1 200 OK", [("Content-Length", "\(count)")])),
        LoadingRow(
            "416 at the end, where the total was not told", asked: [0, end], rest { [range($0, "*")] }),
        LoadingRow("416 where the total was a lie", asked: [0, end], rest { [range($0, "\(count * 2)")] }),
        LoadingRow("a total of 0", asked: [0, end], rest { [range($0, "0")] }),
        LoadingRow("a total within the range", asked: [0, end], rest { [range($0, "\(half)")] }),
        LoadingRow("no total, and 404 beyond its end", asked: [0, end]) { request in
            guard (request.rangeStart ?? 0) < count else { return [.head("HTTP/1.1 404 x")] }
            return [.head("HTTP/1.1 206 x", [range(0, "*")]), .body(bytes)]
        },
        LoadingRow("206 without a place", asked: [0, nil], rest { _ in [] }),
        LoadingRow(
            "206 with a negative place", asked: [0, nil], rest { _ in [("Content-Range", "bytes 0--1/*")] }),
        LoadingRow(
            "206 that ends before it begins", asked: [0, nil],
            rest { _ in [("Content-Range", "bytes 9-5/*")] }),
        LoadingRow(
            "206 in other units", asked: [0, nil], rest { _ in [("Content-Range", "frames 0-9/10")] }),
        LoadingRow("206 in several parts", asked: [0, nil]) { request in
            guard request.rangeStart != nil else { return Scripts.plain(bytes) }
            let part = "--X\r\nContent-Range: bytes 0-\(count - 1)/\(count)\r\n\r\n"
            return [
                .head("HTTP/1.1 206 x", [("Content-Type", "multipart/byteranges; boundary=X")]),
                .body(Array(part.utf8) + bytes + Array("\r\n--X--\r\n".utf8)),
            ]
        },
        LoadingRow(
            "206 that holds nothing", asked: [0, nil],
            badWithRange(.head("HTTP/1.1 206 x", [range(0), ("Content-Length", "0")]))),
        LoadingRow("206 nobody asked for", asked: [0, nil]) { request in
            request.index == 0
                ? [.head("HTTP/1.1 400 x")] : [.head("HTTP/1.1 206 x", [range(0)]), .body(bytes)]
        },
        LoadingRow(
            "206 from before the place, after a break", asked: [0, half],
            cut { _ in
                [.head("HTTP/1.1 206 x", [range(half - 5000)]), .body(Array(bytes[(half - 5000)...]))]
            }),
        LoadingRow(
            "206 from beyond the place, after a break", asked: [0, half, nil],
            cut { request in
                guard request.rangeStart != nil else { return Scripts.plain(bytes) }
                return [.head("HTTP/1.1 206 x", [range(half + 5000)]), .body(Array(bytes[(half + 5000)...]))]
            }),
        LoadingRow(
            "206 from beyond the place, also without a range", gives: .failure(.httpError), asked: [0, nil]
        ) { _ in [.head("HTTP/1.1 206 x", [range(half)]), .body(Array(bytes[half...]))] },
        LoadingRow(
            "206 that holds nothing, also without a range", gives: .failure(.empty), asked: [0, nil]
        ) { _ in [.head("HTTP/1.1 206 x", [range(0), ("Content-Length", "0")])] },
        LoadingRow(
            "a compressed part after a break", asked: [0, half, nil],
            cut { request in
                guard request.rangeStart != nil else { return Scripts.plain(bytes) }
                return [
                    .head("HTTP/1.1 206 x", [range(half), ("Content-Encoding", "gzip")]),
                    .body(Array(bytes[half...])),
                ]
            }),
        LoadingRow("200 after a break", asked: [0, half], cut { _ in Scripts.plain(bytes) }),
        LoadingRow(
            "416 after a break", asked: [0, half, nil], cut(then: badWithRange(.head("HTTP/1.1 416 x")))),
        LoadingRow(
            "a tag that became weak", asked: [0, half],
            cut { Scripts.part(of: bytes, $0, headers: [("ETag", "W/\"1\"")]) }),
        LoadingRow(
            "a tag that was weak", asked: [0, half],
            cut([("ETag", "W/\"1\"")]) { Scripts.part(of: bytes, $0, headers: [("ETag", "\"1\"")]) }),
        LoadingRow(
            "a page in place of the rest", asked: [0, half, half],
            cut { request in
                let page = Array("<html>Log in".utf8)
                let headers = [range(half), ("Content-Type", "text/html")]
                return request.index > 1
                    ? Scripts.part(of: bytes, request) : [.head("HTTP/1.1 206 x", headers), .body(page)]
            }),
    ]

    // MARK: First requests that are refused

    static let refusals: [LoadingRow] =
        [400, 402, 403, 405, 406, 409, 412, 413, 416, 500, 501, 503].map { status in
            LoadingRow(
                "\(status) to a range", asked: [0, nil],
                badWithRange(.head("HTTP/1.1 \(status) x", [("Content-Length", "0")])))
        } + [
            LoadingRow("a reset to a range", asked: [0, nil], badWithRange(.reset)),
            LoadingRow("nothing to a range", asked: [0, nil], badWithRange()),
            LoadingRow("HEAD refused") { request in
                request.method == "HEAD" ? [.head("HTTP/1.1 405 x")] : Scripts.part(of: bytes, request)
            },
            LoadingRow("401", gives: .failure(.unauthorized)) { _ in [.head("HTTP/1.1 401 x")] },
            LoadingRow("503 that asks for patience", asked: [0, 0, 0]) { request in
                request.index < 2
                    ? [.head("HTTP/1.1 503 x", [("Retry-After", "0")])] : Scripts.part(of: bytes, request)
            },
            LoadingRow("429 that asks for patience for a day", gives: .failure(.httpError)) { _ in
                [.head("HTTP/1.1 429 x", [("Retry-After", "86400")])]
            },
        ]

    // MARK: Lengths

    static let lengths: [LoadingRow] = [
        LoadingRow("no length", whole("HTTP/1.0 200 OK")),
        LoadingRow(
            "a length of words", asked: [0, 0], whole("HTTP/1.1 200 OK", [("Content-Length", "lots")])),
        LoadingRow("a negative length", asked: [0, 0], whole("HTTP/1.1 200 OK", [("Content-Length", "-1")])),
        LoadingRow(
            "a length of more than 64 bits",
            whole("HTTP/1.1 200 OK", [("Content-Length", "18446744073709551616")])),
        LoadingRow(
            "a length twice",
            whole("HTTP/1.1 200 OK", [("Content-Length", "\(count)"), ("Content-Length", "\(count)")])),
        LoadingRow(
            "two lengths", asked: [0, 0],
            whole("HTTP/1.1 200 OK", [("Content-Length", "5"), ("Content-Length", "\(count)")])),
        LoadingRow(
            "two lengths, the right one first", asked: [0, 0],
            whole("HTTP/1.1 200 OK", [("Content-Length", "\(count)"), ("Content-Length", "300000")])),
        LoadingRow(
            "a part of two lengths", asked: [0, 0],
            rest { [range($0), ("Content-Length", "7"), ("Content-Length", "\(count)")] }),
        LoadingRow("a length of 2^63-1", gives: .live) { _ in
            [.head("HTTP/1.1 200 OK", [("Content-Length", "9223372036854775807")]), .body(bytes), .hold]
        },
        LoadingRow("a part of 2^63-1", gives: .live) { _ in
            let range = ("Content-Range", "bytes 0-9223372036854775806/9223372036854775807")
            return [.head("HTTP/1.1 206 x", [range]), .body(bytes), .hold]
        },
        LoadingRow("a length that is too large, and 416 that tells the right one", asked: [0, end]) {
            request in
            guard request.rangeStart == 0 else { return Scripts.part(of: bytes, request) }
            let headers = [("Content-Length", "\(count + 999)"), ("Accept-Ranges", "bytes")]
            return [.head("HTTP/1.1 200 OK", headers), .body(bytes)]
        },
        LoadingRow(
            "chunks",
            { _ in
                [
                    .head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")]),
                    .chunks([Array(bytes[..<1]), Array(bytes[1...])]),
                ]
            }),
        LoadingRow(
            "chunks and a length",
            { _ in
                let headers = [("Content-Length", "5"), ("Transfer-Encoding", "chunked")]
                return [.head("HTTP/1.1 200 OK", headers), .chunks([bytes])]
            }),
        LoadingRow(
            "chunks without the last one", gives: .wholeThen(.incomplete),
            asked: [0, nil, count, nil, count, nil]
        ) { _ in
            [.head("HTTP/1.1 200 OK", [("Transfer-Encoding", "chunked")]), .chunks([bytes], last: false)]
        },
    ]

    // MARK: Encodings and heads

    static let heads: [LoadingRow] =
        ["gzip", "br", "binary", "utf-8"].map { encoding in
            LoadingRow(
                "said to be \(encoding), and is not", asked: [0, nil],
                whole("HTTP/1.1 200 OK", [("Content-Encoding", encoding)]))
        } + [
            LoadingRow("encoded as identity", whole("HTTP/1.1 200 OK", [("Content-Encoding", "identity")])),
            LoadingRow("no head at all") { _ in [.body(bytes)] },
            LoadingRow("ICY 200 OK", gives: .live) { _ in [.head("ICY 200 OK"), .body(bytes), .hold] },
            LoadingRow("ICY without a word", gives: .live) { _ in [.head("ICY 200"), .body(bytes), .hold] },
            LoadingRow("icy in small letters", gives: .live) { _ in
                [.head("icy 200 ok"), .body(bytes), .hold]
            },
            LoadingRow("ICY 404", gives: .failure(.notFound)) { _ in [.head("ICY 404 Resource Not Found")] },
            LoadingRow("ICY 401", gives: .failure(.unauthorized)) { _ in
                [.head("ICY 401 Service Unavailable")]
            },
            LoadingRow("no words after the status", whole("HTTP/1.1 200")),
            LoadingRow("two blanks before the status", whole("HTTP/1.1  200 OK")),
            LoadingRow("small letters", whole("http/1.1 200 ok")),
            LoadingRow(
                "an early hint",
                { _ in
                    [
                        .head("HTTP/1.1 103 Early Hints", [("Link", "x")]), .head("HTTP/1.1 200 OK"),
                        .body(bytes),
                    ]
                }),
            LoadingRow(
                "a version that there is not", gives: .failure(.httpError), asked: [0, nil, 0],
                whole("HTTP/1.7 200 OK")),
            LoadingRow("204", gives: .failure(.empty)) { _ in [.head("HTTP/1.1 204 x")] },
            LoadingRow("a redirect to nowhere", gives: .failure(.httpError)) { _ in [.head("HTTP/1.1 302 x")]
            },
            LoadingRow("a redirect to an empty place", gives: .failure(.httpError)) { _ in
                [.head("HTTP/1.1 302 x", [("Location", "")])]
            },
        ]
}
