/// Recognises a browser or another HTTP client that was led to the socket.
enum HTTPRequestLine {
    private static let methods = [
        "GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "PATCH", "CONNECT", "TRACE", "PRI",
    ]
    private static let longestMethod = 8

    /// True for `METHOD target HTTP/version` (RFC 9112, section 3).
    static func matches(_ line: [UInt8]) -> Bool {
        guard let space = line.prefix(longestMethod).firstIndex(of: UInt8(ascii: " ")),
            methods.contains(String(decoding: line[..<space], as: UTF8.self)),
            let last = line.lastIndex(of: UInt8(ascii: " ")), last > space
        else { return false }
        return line[(last + 1)...].starts(with: "HTTP/".utf8)
    }
}
