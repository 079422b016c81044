package import Base

/// What a queue entry may name: http(s), file or an absolute path.
package enum MediaURL {
    /// The longest URL or path taken, in bytes.
    package static let longest = 16_384

    /// Refuses what cannot be played: unsupported for other schemes, invalid_params for what is no URL at all.
    package static func check(_ url: String) throws(CommandFailure) {
        let bytes = url.utf8.span
        if bytes.isEmpty { throw refused("is empty") }
        if bytes.count > longest { throw refused("is longer than \(longest) bytes") }
        var hasControl = false
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F {
            if isBreak(bytes[index]) { throw refused("holds a NUL or a line break") }
            hasControl = true
        }
        if bytes[0] == UInt8(ascii: "/") { return }
        guard let scheme = scheme(of: url) else {
            throw refused("\(shown(url)) is neither an absolute path nor an http, https or file URL")
        }
        switch scheme.lowercased() {
        case "http", "https":
            if hasControl { throw refused("holds a control character") }
            try checkHost(url, bytes, from: scheme.utf8.count + 1)
        case "file": try checkFile(url, url.utf8.dropFirst(scheme.utf8.count + 1))
        default:
            throw CommandFailure(
                .unsupported,
                "The scheme \(scheme) is not supported: use http, https, file or an absolute path.")
        }
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0A || byte == 0x0D }

    /// Checks what follows the scheme and its colon (RFC 3986, section 3.2).
    private static func checkHost(_ url: String, _ bytes: Span<UInt8>, from start: Int) throws(CommandFailure)
    {
        let slash = UInt8(ascii: "/")
        guard start + 1 < bytes.count, bytes[start] == slash, bytes[start + 1] == slash else {
            throw refused("\(shown(url)) lacks the // after its scheme")
        }
        var host = start + 2
        var end = host
        while end < bytes.count, !endsAuthority(bytes[end]) {
            end += 1
            if bytes[end - 1] == UInt8(ascii: "@") { host = end }
        }
        end = (host..<end).first { bytes[$0] == UInt8(ascii: ":") } ?? end
        if host == end { throw refused("\(shown(url)) names no host") }
        if (host..<end).contains(where: { bytes[$0] == UInt8(ascii: " ") }) {
            throw refused("\(shown(url)) has a space in its host")
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): true
        default: false
        }
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
        let beginsWell = scheme.utf8.first.map { isLetter($0) } ?? false
        return beginsWell && isWellFormed ? String(scheme) : nil
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
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
