/// A URL or relative reference taken apart (RFC 3986, appendix B), to be joined to the URL it stands in.
package struct URLReference: Equatable {
    package var scheme: String?
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Takes any text apart; never fails.
    package init(_ text: some StringProtocol) {
        var rest = Substring(text).utf8[...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[rest.index(after: mark)...]))
            rest = rest[..<mark]
        }
        if let colon = Self.schemeEnd(rest) {
            scheme = Substring(rest[..<colon]).lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            let body = rest.dropFirst(2)
            let end = body.firstIndex(of: UInt8(ascii: "/")) ?? body.endIndex
            authority = String(Substring(body[..<end]))
            rest = body[end...]
        }
        path = String(Substring(rest))
    }

    /// This reference as seen from a base that has a scheme and a host (RFC 3986, section 5.2.2).
    package func resolved(against base: URLReference) -> URLReference {
        var result = self
        if scheme != nil {
            result.path = Self.withoutDots(path)
            return result
        }
        result.scheme = base.scheme
        if authority != nil {
            result.path = Self.withoutDots(path)
            return result
        }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            result.path = Self.withoutDots(path)
        } else {
            let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { String(Substring(base.path.utf8[...$0])) } ?? "/"
            result.path = Self.withoutDots(folder + path)
        }
        return result
    }

    /// The whole as text (RFC 3986, section 5.3).
    package var text: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// The path without `.` and `..` (RFC 3986, section 5.2.4).
    package static func withoutDots(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var parts: [Substring] = []
        let pieces = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(
            isAbsolute ? 1 : 0)
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            switch piece {
            case ".": if isLast { parts.append("") }
            case "..":
                if !parts.isEmpty { parts.removeLast() }
                if isLast { parts.append("") }
            default: parts.append(piece)
            }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    private static func schemeEnd(_ bytes: Substring.UTF8View.SubSequence) -> String.Index? {
        guard let first = bytes.first, (0x61...0x7A).contains(first | 0x20) else { return nil }
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return index }
            let isAllowed =
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                || "+-.".utf8.contains(byte)
            if !isAllowed { return nil }
        }
        return nil
    }
}
