package import Base

/// What a queue entry may name: http(s), file or an absolute path.
package enum MediaURL {
    /// The longest URL or path taken, in bytes.
    package static let longest = 16_384

    /// Refuses what cannot be played: unsupported for other schemes, invalid_params for what is no URL at all.
    package static func check(_ url: String) throws(CommandFailure) {
        if url.isEmpty { throw refused("is empty") }
        if url.utf8.count > longest { throw refused("is longer than \(longest) bytes") }
        if url.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
            throw refused("holds a NUL or a line break")
        }
        if url.utf8.first == UInt8(ascii: "/") { return }
        guard let scheme = scheme(of: url) else {
            throw refused("\(shown(url)) is neither an absolute path nor an http, https or file URL")
        }
        let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
        switch scheme.lowercased() {
        case "http", "https": try checkNetwork(url, rest)
        case "file": try checkFile(url, rest)
        default:
            throw CommandFailure(
                .unsupported,
                "The scheme \(scheme) is not supported: use http, https, file or an absolute path.")
        }
    }

    private static func checkNetwork(_ url: String, _ rest: Substring.UTF8View) throws(CommandFailure) {
        if url.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw refused("holds a control character")
        }
        guard rest.starts(with: "//".utf8) else {
            throw refused("\(shown(url)) lacks the // after its scheme")
        }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
        let hostAndPort = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() }
        let host = (hostAndPort ?? authority).prefix { $0 != UInt8(ascii: ":") }
        if host.isEmpty { throw refused("\(shown(url)) names no host") }
        if host.contains(UInt8(ascii: " ")) { throw refused("\(shown(url)) has a space in its host") }
    }

    private static func checkFile(_ url: String, _ rest: Substring.UTF8View) throws(CommandFailure) {
        let hasHost = rest.starts(with: "//".utf8) && !rest.starts(with: "///".utf8)
        let isLocal = rest.starts(with: (hasHost ? "//localhost/" : "/").utf8)
        if !isLocal {
            throw refused("\(shown(url)) is not of the form file:///path")
        }
    }

    /// The scheme (RFC 3986, section 3.1); nil when there is none.
    private static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = url[..<colon]
        let isWellFormed = scheme.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
        return scheme.first?.isLetter == true && isWellFormed ? String(scheme) : nil
    }

    /// Short, without secrets, for a message.
    private static func shown(_ url: String) -> String {
        let shown = URLMask.shown(url)
        return shown.count > 80 ? "\"\(shown.prefix(80))…\"" : "\"\(shown)\""
    }

    private static func refused(_ reason: String) -> CommandFailure {
        CommandFailure(.invalidParams, "The URL \(reason).")
    }
}

extension HeaderField {
    /// Refuses names that are no token (RFC 9110, section 5.1) and values with line breaks or NUL.
    package func check() throws(CommandFailure) {
        let isToken = name.utf8.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        guard isToken, !name.isEmpty else {
            throw CommandFailure(.invalidParams, "A header's name is not a token of HTTP.")
        }
        if value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
            throw CommandFailure(
                .invalidParams, "The value of the header \(name) holds a NUL or a line break.")
        }
    }
}

extension NewEntry {
    /// Refuses what cannot be queued.
    package func check() throws(CommandFailure) {
        try MediaURL.check(url)
        for header in headers { try header.check() }
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
