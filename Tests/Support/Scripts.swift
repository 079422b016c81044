/// Scripts of well-behaved and usual servers, to be used whole or as a start for a faulty one.
public enum Scripts {
    /// Bytes that differ at every offset, so that a wrong splice shows.
    public static func bytes(_ count: Int, seed: UInt32 = 1) -> [UInt8] {
        var state = seed &* 2_654_435_761 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            return UInt8(truncatingIfNeeded: state >> 11)
        }
    }

    /// A file on a server that knows ranges.
    public static func file(
        _ bytes: [UInt8], type: String = "audio/mpeg", headers: [(String, String)] = []
    ) -> ScriptedServer.Script {
        { request in part(of: bytes, request, headers: [("Content-Type", type)] + headers) }
    }

    /// The answer of such a server: 200, 206 or 416. Sends at most `limit` bytes of the body it promises.
    public static func part(
        of bytes: [UInt8], _ request: ScriptedServer.Request, headers: [(String, String)] = [],
        limit: Int = .max
    ) -> [ScriptedServer.Step] {
        // RFC 9110, section 13.1.5: of another version there is no part.
        let isOther = request.headers["if-range"].map { condition in
            headers.contains { $0.0 == "ETag" && $0.1 != condition }
        }
        guard let start = request.rangeStart, isOther != true else {
            return [
                .head(
                    "HTTP/1.1 200 OK",
                    headers + [("Content-Length", "\(bytes.count)"), ("Accept-Ranges", "bytes")]),
                .body(Array(bytes.prefix(limit))),
            ]
        }
        guard start < bytes.count else {
            return [
                .head(
                    "HTTP/1.1 416 Range Not Satisfiable",
                    [("Content-Range", "bytes */\(bytes.count)"), ("Content-Length", "0")])
            ]
        }
        let end = min(bytes.count, request.rangeEnd ?? bytes.count)
        let range = ("Content-Range", "bytes \(start)-\(end - 1)/\(bytes.count)")
        return [
            .head(
                "HTTP/1.1 206 Partial Content",
                headers + [range, ("Content-Length", "\(end - start)")]),
            .body(Array(bytes[start..<end].prefix(limit))),
        ]
    }

    /// A file on a server that knows no ranges.
    public static func plain(_ bytes: [UInt8], limit: Int = .max) -> [ScriptedServer.Step] {
        [
            .head("HTTP/1.1 200 OK", [("Content-Type", "audio/mpeg"), ("Content-Length", "\(bytes.count)")]),
            .body(Array(bytes.prefix(limit))),
        ]
    }

    /// Puts a metadata block after every `interval` bytes, from the list and then empty ones.
    public static func interleaved(_ sound: [UInt8], interval: Int, blocks: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        for start in stride(from: 0, to: sound.count, by: interval) {
            let part = sound[start..<min(sound.count, start + interval)]
            result += part
            guard part.count == interval else { break }
            let block = index < blocks.count ? blocks[index] : []
            let size = (block.count + 15) / 16
            result.append(UInt8(size))
            result += block + [UInt8](repeating: 0, count: size * 16 - block.count)
            index += 1
        }
        return result
    }
}
