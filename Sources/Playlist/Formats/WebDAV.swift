import Base

/// Reads what a WebDAV server says of a folder (RFC 4918, section 9.1): its audio files, as people sort them.
final class WebDAV: MarkupHandler {
    private static let namespace = "DAV:"
    /// Endings of names of sound, for servers that tell no type or a wrong one.
    private static let endings: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "ape", "au", "caf", "dff", "dsf", "flac", "m4a", "m4b",
        "mka",
        "mp1", "mp2", "mp3", "mpa", "mpc", "mpga", "oga", "ogg", "opus", "spx", "tta", "wav", "wave", "weba",
        "wma",
        "wv",
    ]

    private var members: [PlaylistMember] = []
    private var href = ""
    private var type = ""
    private var isFolder = false
    private var collected = ""
    private let base: URLReference
    private let limit: Int

    private init(_ folder: String, limit: Int) {
        base = URLReference(folder)
        self.limit = limit
    }

    /// The audio files in an answer of `folder`, at most `limit`. What is not XML is read to where it is.
    static func members(_ bytes: [UInt8], in folder: String, limit: Int) -> [PlaylistMember] {
        let reader = WebDAV(folder, limit: limit)
        try? XMLReader.read(bytes, into: reader)
        let named = reader.members.map { ($0, SortingKey(MediaName.fileName(of: $0.locations[0]) ?? "")) }
        return named.sorted { $0.1 < $1.1 }.map(\.0)
    }

    func elementStarted(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        collected = ""
        guard name.namespace == Self.namespace else { return }
        if name.local == "response" { (href, type, isFolder) = ("", "", false) }
        if name.local == "collection" { isFolder = true }
    }

    func text(_ text: String) {
        if collected.utf8.count < PlaylistText.longestLine { collected += text }
    }

    func elementEnded(_ name: MarkupName) {
        defer { collected = "" }
        guard name.namespace == Self.namespace else { return }
        switch name.local {
        // The first is the resource's own; a status of its own could name more.
        case "href": if href.isEmpty { href = collected.trimmingBlanks }
        case "getcontenttype": type = collected.trimmingBlanks.lowercased()
        case "response": if let url, isSound, members.count < limit { members.append(PlaylistMember([url])) }
        default: break
        }
    }

    /// The place below the folder's own server; nil for one on another, whatever it says of it.
    private var url: String? {
        guard !href.isEmpty, !isFolder, !href.hasSuffix("/") else { return nil }
        var reference = URLReference(href)
        // Behind a proxy many do not know how they are reached: what counts is the path.
        if let authority = reference.authority {
            guard Self.host(authority) == Self.host(base.authority ?? "") else { return nil }
            reference.scheme = nil
            reference.authority = nil
        }
        guard reference.scheme == nil || reference.scheme == base.scheme else { return nil }
        return reference.resolved(against: base).text
    }

    private var isSound: Bool {
        if type.hasPrefix("audio/") { return !type.hasSuffix("mpegurl") && !type.hasPrefix("audio/x-scpls") }
        return type.hasPrefix("application/ogg")
            || MediaName.extension(of: PercentText.decoded(href)).map { Self.endings.contains($0) }
                ?? false
    }

    private static func host(_ authority: String) -> String {
        let host = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map {
            authority[authority.utf8.index(after: $0)...]
        }
        let text = (host ?? authority[...]).lowercased()
        if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) }
        return String(text.prefix { $0 != ":" })
    }
}
