import Base
import Markup

/// Reads what a WebDAV server says of a folder (RFC 4918, section 9.1): its audio files and the folders in it, as
/// people sort them.
final class WebDAV: MarkupHandler {
    private static let namespace = "DAV:"

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

    /// The audio files and folders in an answer of `folder`, at most `limit`. What is not XML is read to where it is.
    static func members(_ bytes: [UInt8], in folder: String, limit: Int) -> [PlaylistMember] {
        let reader = WebDAV(folder, limit: limit)
        try? XMLReader.read(bytes, into: reader)
        let named = reader.members.map { ($0, SortingKey(name(of: $0.locations[0]))) }
        return named.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The name that a place is sorted by; that of a folder ends in a slash.
    private static func name(of url: String) -> String {
        MediaName.fileName(of: url.hasSuffix("/") ? String(url.dropLast()) : url) ?? ""
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
        case "response": endResponse()
        default: break
        }
    }

    private func endResponse() {
        guard members.count < limit, let url else { return }
        if isFolder || href.hasSuffix("/") {
            // The folder is in its own answer, too; what lies elsewhere is not in it.
            let folder = url.hasSuffix("/") ? url : url + "/"
            let place = base.text.hasSuffix("/") ? base.text : base.text + "/"
            guard isFolder, folder.hasPrefix(place), folder != place else { return }
            var member = PlaylistMember([folder])
            member.isFolder = true
            members.append(member)
        } else if isSound {
            members.append(PlaylistMember([url]))
        }
    }

    /// The place on the folder's own server; nil for one on another, whatever it says of it.
    private var url: String? {
        guard !href.isEmpty else { return nil }
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
            || MediaName.isSound(PercentEncoding.decodedText(href))
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
