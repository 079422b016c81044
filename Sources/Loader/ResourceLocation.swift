import Base

/// Where a resource lies, as far as its URL tells.
enum ResourceLocation: Equatable, Sendable {
    /// An absolute path, decoded: bytes, which need not be UTF-8.
    case file(path: [UInt8])
    case remote(RemoteURL)

    /// The longest URL that is taken, in bytes.
    static let longest = 16_384

    /// Reads a URL or an absolute path; throws what cannot or must not be opened.
    init(_ text: String) throws(PlaybackFailure) {
        // What is no URL has no place where a password would be looked for.
        let afterScheme = text.drop { $0 != ":" }
        let isShown = afterScheme.hasPrefix("://") || !text.utf8.contains(UInt8(ascii: "@"))
        let masked = isShown ? URLMask.shown(text) : "The URL"
        guard text.utf8.count <= Self.longest else {
            throw PlaybackFailure(.denied, "The URL has more than \(Self.longest) bytes.")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw PlaybackFailure(
                .denied, "\(masked) holds a control character, such as a line break or NUL.")
        }
        if text.hasPrefix("/") {
            self = .file(path: Array(text.utf8))
            return
        }
        guard let (scheme, rest) = Self.split(text) else {
            throw PlaybackFailure(
                .unsupportedFormat, "\(masked) is neither an http, https or file URL nor an absolute path.")
        }
        switch scheme {
        case "http", "https": self = .remote(try RemoteURL(scheme: scheme, rest: rest, masked: masked))
        case "file": self = .file(path: try Self.path(ofFileURL: rest, masked: masked))
        default:
            throw PlaybackFailure(
                .unsupportedFormat,
                "\(masked) has the scheme \(scheme), which is not supported; http, https and file are.")
        }
    }

    /// Splits "scheme:rest" with the scheme in lower case.
    private static func split(_ text: String) -> (scheme: String, rest: Substring)? {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
        let scheme = text[..<colon]
        let allowed = scheme.utf8.allSatisfy { byte in
            let letter = byte | 0x20
            return (0x61...0x7a).contains(letter) || (0x30...0x39).contains(byte) || byte == 0x2b
                || byte == 0x2d || byte == 0x2e
        }
        return allowed ? (scheme.lowercased(), text[text.index(after: colon)...]) : nil
    }

    private static func path(ofFileURL rest: Substring, masked: String) throws(PlaybackFailure) -> [UInt8] {
        var path = rest
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            let slash = path.firstIndex(of: "/") ?? path.endIndex
            let host = path[..<slash].lowercased()
            guard host.isEmpty || host == "localhost" else {
                throw PlaybackFailure(.unsupportedFormat, "\(masked) names a file on another host.")
            }
            path = path[slash...]
        }
        if let end = path.firstIndex(where: { $0 == "#" || $0 == "?" }) { path = path[..<end] }
        let bytes = PercentEncoding.decoded(path.utf8)
        guard path.hasPrefix("/"), !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw PlaybackFailure(.denied, "\(masked) holds no absolute path, or a control character in it.")
        }
        return bytes
    }
}
