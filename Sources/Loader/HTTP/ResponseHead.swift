import Base

/// The head of an HTTP or ICY response, as far as the loader wants it.
struct ResponseHead: Equatable, Sendable {
    /// A `Content-Range` (RFC 9110, section 14.4).
    struct ContentRange: Equatable, Sendable {
        /// The bytes that follow; nil in `bytes */total`.
        var bytes: ClosedRange<Int64>?
        /// Nil when it is `*`.
        var total: Int64?
    }

    /// Heads larger than this are refused, in bytes.
    static let largest = 256 << 10
    /// A single value that is longer is left out, in bytes.
    static let longestValue = 8192
    /// A length beyond this is no length but a way to say endless, in bytes.
    static let longestBody: Int64 = 1 << 50

    /// The status; 0 before the status line, and for an answer without a head (HTTP/0.9).
    private(set) var status = 0
    /// True for `ICY 200 OK`.
    private(set) var isICY = false
    /// True once a whole head of a final response was read.
    private(set) var isComplete = false
    /// True for two lengths of one body: neither is to be believed (RFC 9112, section 6.3).
    private(set) var contradictsItsLength = false
    /// True when the body is taken as it comes, whatever is said of its encoding.
    var isEncodingIgnored = false
    private var values: [String: [UInt8]] = [:]
    private var bytes = 0

    init() {}

    /// Reads one line with its line end; returns false when the head is too large.
    mutating func add(_ line: [UInt8]) -> Bool {
        // What comes after the head are a chunked body's trailers.
        guard !isComplete else { return true }
        bytes += line.count
        guard bytes <= Self.largest else { return false }
        var line = line[...]
        while let last = line.last, last == 0x0a || last == 0x0d { line.removeLast() }
        if line.isEmpty {
            // An interim response (RFC 9110, section 15.2) is followed by the real one.
            isComplete = status >= 200
        } else if Self.isStatusLine(line) {
            isICY = line[line.startIndex] | 0x20 == UInt8(ascii: "i")
            status = Self.number(line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(3)).map(Int.init) ?? 0
            values = [:]
            contradictsItsLength = false
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), line.count <= Self.longestValue {
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = Self.trimmed(line[(colon + 1)...])
            if values.count < 200, values[name] == nil {
                values[name] = Array(value)
            } else if name == "content-length", !values[name, default: []].elementsEqual(value) {
                contradictsItsLength = true
            } else if name == "www-authenticate", let first = values[name] {
                // One line a scheme is as good as all on one (RFC 9110, section 5.3).
                values[name] = Array((first + Array(", ".utf8) + value).prefix(Self.longestValue))
            }
        }
        return true
    }

    /// The names of all headers, in lower case and order.
    var names: [String] { values.keys.sorted() }

    /// A header's raw value; names in lower case.
    func bytes(_ name: String) -> [UInt8]? { values[name] }

    /// A header's value, repaired to UTF-8.
    subscript(name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

    /// A header's value as a whole number of at least 0; nil when it is none.
    func number(_ name: String) -> Int64? { values[name].flatMap { Self.number($0[...]) } }

    var contentRange: ContentRange? {
        guard let value = self["content-range"]?.lowercased(), value.hasPrefix("bytes") else { return nil }
        let parts = value.dropFirst(5).split(separator: "/").map { $0.filter { $0 != " " && $0 != "=" } }
        guard parts.count == 2 else { return nil }
        let total = parts[1] == "*" ? nil : Self.number(Array(parts[1].utf8)[...])
        guard parts[1] == "*" || total != nil else { return nil }
        if parts[0] == "*" { return ContentRange(bytes: nil, total: total) }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map {
            Self.number(Array($0.utf8)[...])
        }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < Int64.max else {
            return nil
        }
        return ContentRange(bytes: first...last, total: total.flatMap { $0 > last ? $0 : nil })
    }

    /// The bytes of the body as announced; nil when unknown, endless, or counted otherwise than they arrive.
    var contentLength: Int64? {
        guard !isEncoded, self["transfer-encoding"] == nil, !contradictsItsLength else { return nil }
        return number("content-length").flatMap { $0 <= Self.longestBody ? $0 : nil }
    }

    /// True when the body is compressed, so that offsets and lengths are not those of the resource.
    var isEncoded: Bool {
        guard !isEncodingIgnored, let encoding = self["content-encoding"]?.lowercased() else { return false }
        return !encoding.isEmpty && encoding != "identity"
    }

    /// True when Digest is among the ways to authorize (RFC 9110, section 11.6.1).
    var offersDigest: Bool {
        guard let value = self["www-authenticate"]?.lowercased() else { return false }
        // Outside quotes, or a realm of that name would do.
        let plain = value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined()
        return plain.split(whereSeparator: { $0 == " " || $0 == "," }).contains("digest")
    }

    /// True for the first line of a response, in any letter case, as curl takes it.
    private static func isStatusLine(_ line: ArraySlice<UInt8>) -> Bool {
        ["http/", "icy "].contains { line.prefix($0.utf8.count).map { $0 | 0x20 }.elementsEqual($0.utf8) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
